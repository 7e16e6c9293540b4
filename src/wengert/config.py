"""The devices, under TensorFlow's name ``tf.config``: there is one, the CPU."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["PhysicalDevice", "list_logical_devices", "list_physical_devices"]


class PhysicalDevice(NamedTuple):
    """A device that operations can run on."""

    name: str
    device_type: str


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices of a type (all, by default).

    >>> tf.config.list_physical_devices("GPU"), len(tf.config.list_physical_devices())
    ([], 1)
    """
    devices = [PhysicalDevice("/physical_device:CPU:0", "CPU")]
    return [d for d in devices if device_type in (None, d.device_type)]


list_logical_devices = list_physical_devices
