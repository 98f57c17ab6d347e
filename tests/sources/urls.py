"""The table of hostile URLs; `{port}` stands for the canary's port."""

from __future__ import annotations

from tests.sources.wire import PUBLIC, PUBLIC_V6

NAMES: dict[str, list[str]] = {
    "localhost": ["127.0.0.1", "::1"],
    "localhost.localdomain": ["127.0.0.1"],
    "ip6-localhost": ["::1"],
    "any.localhost": ["127.0.0.1"],
    "loop.example": ["127.0.0.1"],
    "loop6.example": ["::1"],
    "zero.example": ["0.0.0.0"],
    "zero6.example": ["::"],
    "mapped.example": ["::ffff:127.0.0.1"],
    "zone.example": ["fe80::1%lo"],
    "mixed.example": [PUBLIC, "127.0.0.1"],
    "mixed-first.example": ["127.0.0.1", PUBLIC],
    "mixed6.example": [PUBLIC_V6, PUBLIC, "::1"],
    "mixed-private.example": [PUBLIC, PUBLIC_V6, "10.0.0.1"],
    "private.example": ["192.168.1.1"],
    "ula.example": ["fd00::1"],
    "link.example": ["fe80::1"],
    "nat64.example": ["64:ff9b::a9fe:a9fe"],
    "odd.example": ["127.1"],
    "empty.example": [],
    "metadata.google.internal": ["169.254.169.254"],
    "metadata": ["169.254.169.254"],
    "xn--lo-fka.example": ["127.0.0.1"],
    "public.example": [PUBLIC],
    "public6.example": [PUBLIC_V6],
    "xn--bcher-kva.example": [PUBLIC],
}

# All notations of this machine's addresses. Without the guard, each would reach the canary.
_LOOPBACK = """
http://127.0.0.1:{port}/
http://127.0.0.1:{port}
HTTP://127.0.0.1:{port}/a.png
https://127.0.0.1:{port}/
http://127.0.0.1.:{port}/
http://127.0.0.2:{port}/
http://127.1.2.3:{port}/
http://127.255.255.254:{port}/
http://127.1:{port}/
http://127.1.:{port}/
http://127.0.1:{port}/
http://127.66051:{port}/
http://2130706433:{port}/
http://02130706433:{port}/
http://017700000001:{port}/
http://0x7f000001:{port}/
http://0x7F000001:{port}/
http://0x0000007f000001:{port}/
http://0x7f.0x0.0x0.0x1:{port}/
http://0x7f.1:{port}/
http://0x7f.0.1:{port}/
http://127.0x1:{port}/
http://127.0.0.0x1:{port}/
http://127.0.0.0x1.:{port}/
http://0177.0.0.1:{port}/
http://0177.1:{port}/
http://0177.0x0.0.01:{port}/
http://00000177.0.0.1:{port}/
http://127.000.000.001:{port}/
http://127.0.0.01:{port}/
http://4294967297:{port}/
http://0:{port}/
http://00:{port}/
http://0x0:{port}/
http://0x:{port}/
http://0.0:{port}/
http://0.0.0.0:{port}/
http://[::1]:{port}/
http://[::0001]:{port}/
http://[0:0:0:0:0:0:0:1]:{port}/
http://[0000:0000:0000:0000:0000:0000:0000:0001]:{port}/
http://[::]:{port}/
http://[0::0]:{port}/
http://[::ffff:127.0.0.1]:{port}/
http://[::FFFF:7f00:1]:{port}/
http://[0:0:0:0:0:ffff:127.0.0.1]:{port}/
http://[::ffff:127.0.0.2]:{port}/
http://[::ffff:0.0.0.0]:{port}/
http://[::1%25lo]:{port}/
http://[::1%lo]:{port}/
http://[::1%251]:{port}/
http://[::127.0.0.1]:{port}/
http://[::ffff:0:127.0.0.1]:{port}/
http://[64:ff9b::127.0.0.1]:{port}/
http://[64:ff9b:1::127.0.0.1]:{port}/
http://[2002:7f00:1::]:{port}/
http://[2001:0:4136:e378:8000:63bf:80ff:fffe]:{port}/
http://[fe80::5efe:127.0.0.1]:{port}/
http://[2606:4700::5efe:127.0.0.1]:{port}/
http://[2606:4700::200:5efe:7f00:1]:{port}/
http://\uff11\uff12\uff17.\uff10.\uff10.\uff11:{port}/
http://127\u30020\u30020\u30021:{port}/
http://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460:{port}/
http://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3:{port}/
http://localhost:{port}/
http://LOCALHOST:{port}/
http://LocalHost.:{port}/
http://localhost.localdomain:{port}/
http://ip6-localhost:{port}/
http://any.localhost:{port}/
http://loop.example:{port}/
http://loop6.example:{port}/
http://zero.example:{port}/
http://zero6.example:{port}/
http://mapped.example:{port}/
http://mixed.example:{port}/
http://mixed-first.example:{port}/
http://mixed6.example:{port}/
http://odd.example:{port}/
http://l\u00f6o.example:{port}/
http://public.example@127.0.0.1:{port}/
http://public.example:80@127.0.0.1:{port}/
http://user:secret@127.0.0.1:{port}/
http://@127.0.0.1:{port}/
http://public.example%40127.0.0.1:{port}/
http://127.0.0.1:{port}#@public.example/
http://127.0.0.1:{port}?@public.example/
http://127.0.0.1:{port}\\@public.example/
http://public.example\\@127.0.0.1:{port}/
http://127.0.0.1:{port}%23@public.example/
http://%31%32%37.0.0.1:{port}/
http://127.0.0.1%00.public.example:{port}/
http://127.0.0.1%20:{port}/
http://127%2e0%2e0%2e1:{port}/
http:127.0.0.1:{port}/
http:/127.0.0.1:{port}/
http:///127.0.0.1:{port}/
http:\\\\127.0.0.1:{port}/
//127.0.0.1:{port}/
127.0.0.1:{port}/
ftp://127.0.0.1:{port}/
ws://127.0.0.1:{port}/
gopher://127.0.0.1:{port}/_GET
dict://127.0.0.1:{port}/
file://127.0.0.1/etc/hostname
file:///etc/hostname
unix:/run/socket
jar:http://127.0.0.1:{port}!/
view-source:http://127.0.0.1:{port}/
data:image/png;base64,AAAA
javascript:fetch('http://127.0.0.1:{port}/')
"""
LOOPBACK = _LOOPBACK.split()

# These are listed one by one, because the white space in them is the fault.
BROKEN = [
    " http://127.0.0.1:{port}/",
    "http://127.0.0.1:{port}/\n",
    "http://127.0.0.1:{port}/ HTTP/1.1\r\nX: y",
    "ht\ntp://127.0.0.1:{port}/",
    "http://127.0.0\t.1:{port}/",
    "http://127.0.0.1\x00:{port}/",
    "http://loc\u00adalhost:{port}/",
    "http://127.0.0.1:{port}/\ud800",
    "",
    "http://",
    "http://:{port}/",
    "http://[127.0.0.1]:{port}/",
    "http://[::1:{port}/",
    "http://::1:{port}/",
    "http://127.0.0.1:{port}0000/",
    "http://127.0.0.1:-1/",
    "http://127.0.0.1:+{port}/",
    "http://" + "a" * 64 + ".example:{port}/",
    "http://" + "a." * 130 + "example:{port}/",
    "http://127.0.0.1:{port}/" + "a" * 8192,
]

_HOSTS = """
0.1.2.3 0.255.255.255
10.0.0.0 10.0.0.1 10.255.255.255 10.1 167772161 0xa000001 012.0.0.1
100.64.0.0 100.64.0.1 100.100.100.200 100.127.255.255
168.63.129.16
169.254.0.1 169.254.169.254 169.254.170.2 169.254.255.255
2852039166 0xa9fea9fe 0xA9.0xFE.0xA9.0xFE 0251.0376.0251.0376 169.254.43518 169.16689662 169.254.169.0xfe
172.16.0.0 172.16.0.1 172.31.255.255
192.0.0.0 192.0.0.8 192.0.0.170 192.0.0.192 192.0.0.255
192.0.2.0 192.0.2.255 192.31.196.1 192.52.193.1 192.88.99.1 192.175.48.1
192.168.0.0 192.168.0.1 192.168.255.255 192.168.257 3232235521
198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.255
224.0.0.0 224.0.0.1 232.1.1.1 239.255.255.250
240.0.0.1 255.255.255.254 255.255.255.255
[::2] [::10.0.0.1] [::8.8.8.8] [::a9fe:a9fe]
[::ffff:10.0.0.1] [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::ffff:8.8.8.8]
[::ffff:0:10.0.0.1] [::ffff:0:8.8.8.8]
[64:ff9b::10.0.0.1] [64:ff9b::169.254.169.254] [64:ff9b::a9fe:a9fe] [64:ff9b::e000:1] [64:ff9b::ffff:ffff]
[64:ff9b:1::10.0.0.1] [64:ff9b:1::8.8.8.8] [64:ff9b:1:ffff:ffff:ffff:ffff:ffff]
[64:ff9b::1:8.8.8.8] [65::1]
[100::1] [100::ffff:ffff:ffff:ffff] [100:0:0:1::1]
[2001::1] [2001:0:53aa:64c:0:5efe:f5ff:fffe] [2001:1::1] [2001:2::1] [2001:3::1] [2001:4:112::1] [2001:10::1]
[2001:1f:ffff::1] [2001:20::1] [2001:30::1] [2001:1ff:ffff::1]
[2001:db8::1] [2001:db8:ffff:ffff:ffff:ffff:ffff:ffff] [3fff::1] [3fff:fff:ffff::1] [3ffe::1]
[2002:a00:1::1] [2002:a9fe:a9fe::1] [2002:808:808::1] [2002:c0a8:101::c0a8:101]
[2620:4f:8000::1] [5f00::1] [4000::1] [8000::1] [e000::1]
[2606:4700::5efe:a00:1] [2606:4700::200:5efe:192.168.0.1] [2606:4700::5efe:8.8.8.8]
[fc00::1] [fd00:ec2::254] [fd20:ce::254] [fd00:42::42] [fdff:ffff::1]
[fe80::1] [fe80::1%25eth0] [fe80::1%eth0] [fe80::a9fe:a9fe] [fe80::5efe:10.0.0.1] [febf::1]
[fec0::1] [feff::1] [ff00::1] [ff01::1] [ff02::1] [ff02::fb] [ff05::2] [ff0e::1] [ff3e::1]
[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]
metadata.google.internal metadata metadata.google.internal. METADATA.google.internal
private.example ula.example link.example zone.example nat64.example mixed-private.example
empty.example unknown.example
"""

# These addresses are not on loopback; the recorder must not see them either.
ELSEWHERE = [f"http://{host}/latest/meta-data/" for host in _HOSTS.split()]

# Addresses next to forbidden ranges, and names: a fetch must reach these, and only the first address of each.
REACHED = {
    f"http://{host}/picture.png": address
    for host, address in {
        PUBLIC: PUBLIC,
        "1.0.0.0": "1.0.0.0",
        "8.8.8.8": "8.8.8.8",
        "9.255.255.255": "9.255.255.255",
        "11.0.0.0": "11.0.0.0",
        "100.63.255.255": "100.63.255.255",
        "100.128.0.0": "100.128.0.0",
        "126.255.255.255": "126.255.255.255",
        "128.0.0.0": "128.0.0.0",
        "168.63.129.15": "168.63.129.15",
        "168.63.129.17": "168.63.129.17",
        "169.253.255.255": "169.253.255.255",
        "169.255.0.0": "169.255.0.0",
        "172.15.255.255": "172.15.255.255",
        "172.32.0.0": "172.32.0.0",
        "192.167.255.255": "192.167.255.255",
        "192.169.0.0": "192.169.0.0",
        "198.17.255.255": "198.17.255.255",
        "198.20.0.0": "198.20.0.0",
        "223.255.255.255": "223.255.255.255",
        f"[{PUBLIC_V6}]": PUBLIC_V6,
        "[2001:200::1]": "2001:200::1",
        "[2001:4860:4860::8888]": "2001:4860:4860::8888",
        "[2a00:1450::1]": "2a00:1450::1",
        "[64:ff9b::8.8.8.8]": "64:ff9b::808:808",
        "public.example": PUBLIC,
        "Public.Example.": PUBLIC,
        "public6.example": PUBLIC_V6,
        "b\u00fccher.example": PUBLIC,
    }.items()
}
