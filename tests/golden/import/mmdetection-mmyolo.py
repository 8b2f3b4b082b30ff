# MMYOLO: what YOLOv5, YOLOX and PP-YOLOE have of their own.
train_pipeline = [
    dict(type='mmyolo.YOLOv5KeepRatioResize', scale=(640, 640)),
    dict(type='mmyolo.LetterResize', scale=(640, 512), allow_scale_up=False, use_mini_pad=False, pad_val=dict(img=114)),
    dict(type='mmyolo.LetterResize', scale=(640, 640)),
    dict(type='PPYOLOERandomDistort'),
    dict(type='mmdet.Expand', mean=(103.53, 116.28, 123.675)),
    dict(type='PPYOLOERandomCrop'),
    dict(type='PPYOLOERandomCrop', thresholds=[0.0, 0.3], scaling=[0.4, 0.9], num_attempts=20),
    dict(type='YOLOv5MixUp', alpha=8.0, beta=8.0, prob=0.1),
    dict(type='YOLOv5MixUp', alpha=3.0, beta=4.0),
    dict(type='YOLOXMixUp', img_scale=(640, 640), ratio_range=(0.8, 1.6), pad_val=114.0),
    dict(type='mmdet.RandomFlip', prob=[0.0, 0.0], direction=['horizontal', 'vertical']),
]
