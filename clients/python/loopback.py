"""Keeps a run on this machine.

Importing this module makes every look-up of a name and every connection that
would leave the machine fail before a packet is sent; the file that
LOOPBACK_REFUSED names gets a line with the host.
"""

import ipaddress
import os
import socket

_connect = socket.socket.connect
_connect_ex = socket.socket.connect_ex
_getaddrinfo = socket.getaddrinfo


def _is_local(host):
    if host in (None, "", "localhost", b"localhost"):
        return True
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _check(host):
    if not _is_local(host):
        with open(os.environ["LOOPBACK_REFUSED"], "a") as notes:
            notes.write(f"{host}\n")
        raise OSError(f"this run stays on the machine: {host} was refused")


def _check_address(sock, address):
    if sock.family in (socket.AF_INET, socket.AF_INET6):
        _check(address[0])


def _guarded_connect(sock, address):
    _check_address(sock, address)
    return _connect(sock, address)


def _guarded_connect_ex(sock, address):
    _check_address(sock, address)
    return _connect_ex(sock, address)


def _guarded_getaddrinfo(host, *args, **kwargs):
    _check(host)
    return _getaddrinfo(host, *args, **kwargs)


socket.socket.connect = _guarded_connect
socket.socket.connect_ex = _guarded_connect_ex
socket.getaddrinfo = _guarded_getaddrinfo
