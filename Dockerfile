# The command line:
#   docker build -t citescape .
#   docker run --rm -v "$PWD:/data" citescape ingest papers/
# EXTRAS names what else to install: --build-arg EXTRAS='[learn,map]'
FROM python:3.11-slim

ARG EXTRAS=""
COPY . /src
RUN pip install --no-cache-dir "/src${EXTRAS}" && rm -rf /src

# Papers, store and runs lie in the mounted folder.
WORKDIR /data
ENTRYPOINT ["platform"]
CMD ["--help"]
