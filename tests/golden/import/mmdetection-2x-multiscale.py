# MMDetection 2, whose sizes are [height, width] but for those of Resize.
train_pipeline = [
    dict(type='LoadImageFromFile', to_float32=True),
    dict(type='LoadAnnotations', with_bbox=True),
    dict(type='PhotoMetricDistortion', brightness_delta=32, contrast_range=(0.5, 1.5), saturation_range=(0.5, 1.5), hue_delta=18),
    dict(type='MinIoURandomCrop', min_ious=(0.1, 0.3, 0.5, 0.7, 0.9), min_crop_size=0.1),
    dict(type='Resize', img_scale=[(1333, 480), (1333, 960)], multiscale_mode='range', keep_ratio=True),
    dict(type='Resize', img_scale=[(1333, 640), (1333, 672), (1333, 800)], multiscale_mode='value', keep_ratio=True),
    dict(type='Resize', img_scale=[(992, 736), (896, 736)], multiscale_mode='value', keep_ratio=False),
    dict(type='RandomCrop', crop_size=(384, 600)),
    dict(type='RandomFlip', flip_ratio=0.5),
    dict(type='Pad', size=(384, 640)),
    dict(type='Mosaic', img_scale=(480, 640)),
    dict(type='RandomAffine', scaling_ratio_range=(0.5, 1.5), border=(-240, -320)),
    dict(type='MixUp', img_scale=(480, 640), flip_ratio=0.25),
    dict(type='DefaultFormatBundle'),
    dict(type='Collect', keys=['img', 'gt_bboxes', 'gt_labels']),
]
