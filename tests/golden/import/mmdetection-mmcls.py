# MMClassification: Swin, and CIFAR's crops.
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='RandomResizedCrop', size=224, backend='pillow', interpolation='bicubic'),
    dict(type='RandomCrop', crop_size=(200, 192), padding=4),
    dict(type='RandomFlip', flip_prob=0.5, direction='horizontal'),
    dict(type='RandomErasing', erase_prob=0.25, mode='rand', min_area_ratio=0.02, max_area_ratio=0.333),
    dict(type='RandomErasing', erase_prob=0.25, fill_color=(103, 116, 123)),
    dict(type='Invert'),
    dict(type='RandomGrayscale', prob=0.2, keep_channels=True, channel_weights=(0.114, 0.587, 0.2989)),
    dict(type='Collect', keys=['img', 'gt_label'])
]
