# Two stages. The first installs the locked packages, verified by their hashes, and compiles pillow-simd and the kernels. The
# last has Debian's Python and the service, but no tools to install or compile anything.
ARG BASE=docker.io/library/debian:bookworm-slim

FROM ${BASE} AS build
# For your own package index or certificate authorities, mount /etc/pip.conf and name the file of authorities
# here.
ARG PIP_CERT=
# Optional groups: "bulk cluster" makes the image of a Dask worker, some 45 MB larger.
ARG EXTRAS="cluster"
# Keep the name of pillow-simd's temporary build folder out of the compiled files.
ENV CFLAGS=-g0 LDFLAGS=-Wl,--build-id=none
RUN apt-get update --quiet=2 \
    && DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends \
        gcc libc6-dev libjpeg-dev liblcms2-dev libwebp-dev python3 python3-dev python3-venv zlib1g-dev
WORKDIR /opt/mockup
COPY pyproject.toml setup.py LICENSE NOTICE README.md ./
COPY LICENSES LICENSES
COPY requirements requirements
COPY setup setup
COPY service service
COPY frames frames
COPY deploy/container/slim.sh deploy/container/slim.sh
RUN setup/install.sh ${EXTRAS} && deploy/container/slim.sh

FROM ${BASE}
# Additional Debian packages: "ffmpeg" for films as video, fonts for captions.
ARG PACKAGES=""
RUN apt-get update --quiet=2 \
    && DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends \
        ca-certificates libjpeg62-turbo liblcms2-2 libwebp7 libwebpdemux2 libwebpmux3 python3 ${PACKAGES} \
    && rm -rf /var/cache/* /var/lib/apt/lists/* /var/log/* /usr/lib/python3*/pydoc_data /usr/lib/python3*/test \
    && mkdir --mode 0700 /var/lib/mockup && chown 10001:10001 /var/lib/mockup
COPY --from=build /opt/mockup /opt/mockup
ENV PATH=/opt/mockup/.venv/bin:/usr/bin:/bin \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    MOCKUP_HOST=0.0.0.0 \
    MOCKUP_DATA_DIR=/var/lib/mockup \
    MOCKUP_LOG_FORMAT=json
WORKDIR /var/lib/mockup
USER 10001:10001
VOLUME /var/lib/mockup
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["mockup", "health"]
ENTRYPOINT ["mockup"]
CMD ["serve"]
