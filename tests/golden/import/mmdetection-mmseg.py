# MMSegmentation: its sizes are [height, width], and its hues half turns.
crop_size = (512, 1024)
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='LoadAnnotations', reduce_zero_label=True),
    dict(type='RandomResize', scale=(2048, 1024), ratio_range=(0.5, 2.0), keep_ratio=True),
    dict(type='RandomCrop', crop_size=crop_size),
    dict(type='RandomFlip', prob=0.5),
    dict(type='RandomRotate', prob=0.5, degree=(5, 20)),
    dict(type='PhotoMetricDistortion'),
    dict(type='CLAHE', clip_limit=40.0, tile_grid_size=(8, 8)),
    dict(type='AdjustGamma', gamma=1.25),
    dict(type='RandomCutOut', prob=0.5, n_holes=(1, 3), cutout_ratio=(0.25, 0.5), seg_fill_in=255),
    dict(type='PackSegInputs')
]
