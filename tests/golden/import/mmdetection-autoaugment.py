train_pipeline = [
    dict(type='AutoContrast', prob=0.5),
    dict(type='Equalize', prob=0.5),
    dict(type='Posterize', prob=0.3),
    dict(type='Invert', prob=0.1),
    dict(type='CutOut', n_holes=(1, 3), cutout_shape=(16, 16)),
]
