train_pipeline = [
    dict(type='RandomAffine', scaling_ratio_range=(0.1, 2), border=(-320, -320)),
    dict(type='MixUp', img_scale=(640, 640), ratio_range=(0.8, 1.6), pad_val=114.0),
    dict(type='YOLOXHSVRandomAug'),
    dict(type='RandomErasing', n_patches=(1, 2), ratio=(0.1, 0.2)),
]
