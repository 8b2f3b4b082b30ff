train_pipeline = [
    dict(type='FixScaleResize', scale=(800, 1333), keep_ratio=True, backend='pillow'),
    dict(type='FixScaleResize', scale=(800, 1333), keep_ratio=True),
    dict(type='FixScaleResize', scale=(800, 1333)),
    dict(type='FixShapeResize', width=640, height=480, keep_ratio=False),
    dict(type='FixShapeResize', width=640, height=480, keep_ratio=True),
    dict(type='RandomChoiceResize', scales=[(640, 480), (512, 512)]),
    dict(type='RandomChoiceResize', scales=[480, 512], resize_type='ResizeShortestEdge', max_size=1333),
    dict(type='RandomRotate', prob=0.5, degree=20, pad_val=3, seg_pad_val=254, auto_bound=True),
    dict(type='Rotate', prob=0.5, max_mag=20.0),
    dict(
        type='AutoAugment',
        policies=[[dict(type='RandomFlip', prob=0.5)],
                  [dict(type='RandomChoiceResize', scales=[(400, 1333)], keep_ratio=True),
                   dict(type='RandomCrop', crop_size=(64, 48), allow_negative_crop=True)]]),
]
