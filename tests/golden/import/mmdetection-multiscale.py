train_pipeline = [
    dict(type='LoadImageFromFile', backend_args=None),
    dict(type='LoadAnnotations', with_bbox=True, with_mask=True),
    dict(type='RandomResize', scale=[(1333, 640), (1333, 800)], keep_ratio=True),
    dict(type='RandomChoiceResize', scales=[(1333, 800), (999, 800)], keep_ratio=True),
    dict(type='RandomFlip', prob=0.5),
    dict(type='Pad', pad_to_square=True, pad_val=dict(img=(114.0, 114.0, 114.0))),
    dict(type='Pad', size=(1400, 1360), pad_val=dict(img=(104, 116, 124), seg=0)),
    dict(type='CopyPaste', max_num_pasted=100),
    dict(type='PackDetInputs')
]
