"""Rows of wengert.primitives.image and resize."""

from __future__ import annotations

import numpy as np

import wengert as tf
from tests.table.case import Case, draw

IMAGE = draw(2, 4, 3, 3)


def contrasted(x, factor):
    mean = x.mean(axis=(-3, -2), keepdims=True)
    return (x - mean) * factor + mean


def standardized(x):
    return (x - x.mean(axis=(1, 2, 3), keepdims=True)) / x.std(axis=(1, 2, 3), keepdims=True)


def interpolated(x, rows, columns):
    """Bilinear: a mean of the four pixels around each place."""
    out = np.zeros((len(x), rows, columns, x.shape[-1]))
    for i, j in np.ndindex(rows, columns):
        places = []
        for k, (m, n) in ((i, (rows, x.shape[1])), (j, (columns, x.shape[2]))):
            at = (k + 0.5) * n / m - 0.5
            low = int(np.floor(at))
            places.append([(min(max(low, 0), n - 1), 1 - at + low), (min(max(low + 1, 0), n - 1), at - low)])
        for a, weight_a in places[0]:
            for b, weight_b in places[1]:
                out[:, i, j] += weight_a * weight_b * x[:, a, b]
    return out


def edges(x):
    x = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)), mode="reflect")
    smooth_x = x[:, :, :-2] + 2 * x[:, :, 1:-1] + x[:, :, 2:]
    smooth_y = x[:, :-2] + 2 * x[:, 1:-1] + x[:, 2:]
    return np.stack([smooth_x[:, 2:] - smooth_x[:, :-2], smooth_y[:, :, 2:] - smooth_y[:, :, :-2]], axis=-1)


def variation(x):
    return np.abs(np.diff(x, axis=1)).sum((1, 2, 3)) + np.abs(np.diff(x, axis=2)).sum((1, 2, 3))


def differences(x):
    return (
        np.concatenate([np.diff(x, axis=1), np.zeros_like(x[:, :1])], axis=1),
        np.concatenate([np.diff(x, axis=2), np.zeros_like(x[:, :, :1])], axis=2),
    )


CASES = [
    Case("adjust_contrast", (IMAGE, np.asarray(1.5)), contrasted),
    Case(
        "matmul",
        (IMAGE,),
        lambda x: interpolated(x, 6, 2),
        call=lambda x: tf.image.resize(x, [6, 2]),
        label="image-resize",
    ),
    Case(
        "gather",
        (IMAGE,),
        lambda x: x[:, [0, 1, 1, 2, 3, 3]][:, :, [0, 2]],
        call=lambda x: tf.image.resize(x, [6, 2], "nearest"),
        label="image-nearest",
    ),
    Case("reverse", (IMAGE,), lambda x: x[:, :, ::-1], call=tf.image.flip_left_right, label="image-flip-left-right"),
    Case("reverse", (IMAGE,), lambda x: x[:, ::-1], call=tf.image.flip_up_down, label="image-flip-up-down"),
    *(
        Case(
            "reverse",
            (IMAGE,),
            lambda x, k=k: np.rot90(x, k, axes=(1, 2)),
            call=lambda x, k=k: tf.image.rot90(x, k),
            label=f"image-rot90-{k}",
        )
        for k in range(-1, 4)
    ),
    Case(
        "matmul",
        (IMAGE,),
        lambda x: x @ np.array([[0.2989], [0.587], [0.114]]),
        call=tf.image.rgb_to_grayscale,
        label="image-gray",
    ),
    Case(
        "true_divide",
        (IMAGE,),
        standardized,
        call=tf.image.per_image_standardization,
        label="image-standard",
        broadcasts=False,
    ),
    Case(
        "add",
        (IMAGE,),
        lambda x: x + 0.25,
        call=lambda x: tf.image.adjust_brightness(x, 0.25),
        label="image-brightness",
        broadcasts=False,
    ),
    Case("subtract", (IMAGE,), differences, call=tf.image.image_gradients, label="image-gradients", broadcasts=False),
    Case("convolution", (IMAGE,), edges, call=tf.image.sobel_edges, label="image-sobel"),
    Case("absolute", (IMAGE,), variation, call=tf.image.total_variation, label="image-variation", broadcasts=False),
]
