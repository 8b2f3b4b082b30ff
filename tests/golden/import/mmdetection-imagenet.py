# MMPretrain
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='RandomResizedCrop', scale=224, crop_ratio_range=(0.1, 1.0), backend='pillow', interpolation='bicubic'),
    dict(type='RandomResizedCrop', scale=(192, 256)),
    dict(type='ResizeEdge', scale=256, edge='short', backend='pillow', interpolation='bicubic'),
    dict(type='ResizeEdge', scale=256, edge='long'),
    dict(type='CenterCrop', crop_size=224),
    dict(type='RandomFlip', prob=0.5, direction='horizontal'),
    dict(type='ColorJitter', brightness=0.4, contrast=0.4, saturation=0.4),
    dict(type='RandomGrayscale', prob=0.2, keep_channels=True),
    dict(type='PackInputs'),
]
