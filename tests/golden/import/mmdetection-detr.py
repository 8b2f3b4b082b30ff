# DETR and DINO: one of two chains, each of lists of scales.
scales = [(480, 1333), (512, 1333), (544, 1333), (576, 1333), (608, 1333), (640, 1333)]
train_pipeline = [
    dict(type='LoadImageFromFile', backend_args=None),
    dict(type='LoadAnnotations', with_bbox=True),
    dict(type='RandomFlip', prob=0.5),
    dict(
        type='RandomChoice',
        transforms=[[
            dict(type='RandomChoiceResize', resize_type='Resize', scales=scales, keep_ratio=True)
        ],
                    [
                        dict(
                            type='RandomChoiceResize',
                            # The radio of all image in train dataset < 7
                            scales=[(400, 4200), (500, 4200), (600, 4200)],
                            keep_ratio=True),
                        dict(
                            type='RandomCrop',
                            crop_type='absolute_range',
                            crop_size=(384, 600),
                            allow_negative_crop=True),
                        dict(type='RandomChoiceResize', scales=scales, keep_ratio=True)
                    ]]),
    dict(type='PackDetInputs')
]
