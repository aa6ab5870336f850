# One target per process: `docker build --target orders -t holdfast/orders:0.1.0 .`
# The files of an image are made by tools/image-files.mjs, which the tests run too; see docs/operations/docker-compose.md.

# The one base image. A digest pins its bytes: --build-arg NODE_IMAGE=node:24.11.1-bookworm-slim@sha256:…; see docs/operations/images.md.
ARG NODE_IMAGE=node:24.11.1-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci && npm run build

# One folder per process: its own package, the packages that it declares, and what those need from npm.
FROM build AS files
RUN node tools/image-files.mjs all /images

# Node runs as process 1 and handles SIGTERM itself, so that no init program is needed. Nothing is written outside /tmp.
FROM ${NODE_IMAGE} AS base
# A running process needs no package manager.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn*
ENV NODE_ENV=production
WORKDIR /app
# The user `node`, by number: Kubernetes cannot tell from a name that it is not root.
USER 1000:1000
# /livez, because a restart does not repair what only makes a process not ready, such as a database that is away.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "healthcheck.mjs", "/livez"]
LABEL org.opencontainers.image.vendor="Holdfast" org.opencontainers.image.licenses="Apache-2.0"

FROM base AS gateway
LABEL org.opencontainers.image.title="holdfast/gateway"
COPY --from=files /images/gateway ./
ENV METRICS_PORT=9080
EXPOSE 8080 9080
CMD ["node", "dist/gateway.js"]

FROM base AS identity
LABEL org.opencontainers.image.title="holdfast/identity"
COPY --from=files /images/identity ./
ENV METRICS_PORT=9081
EXPOSE 8081 9081
CMD ["node", "dist/identity.js"]

FROM base AS ledger-balance
LABEL org.opencontainers.image.title="holdfast/ledger-balance"
COPY --from=files /images/ledger-balance ./
ENV METRICS_PORT=9082
EXPOSE 8082 9082
CMD ["node", "dist/ledger-balance.js"]

FROM base AS orders
LABEL org.opencontainers.image.title="holdfast/orders"
COPY --from=files /images/orders ./
ENV METRICS_PORT=9083
EXPOSE 8083 9083
CMD ["node", "dist/orders.js"]

FROM base AS escrow-adapter
LABEL org.opencontainers.image.title="holdfast/escrow-adapter"
COPY --from=files /images/escrow-adapter ./
ENV METRICS_PORT=9084
EXPOSE 8084 9084
CMD ["node", "dist/escrow-adapter.js"]

FROM base AS payments
LABEL org.opencontainers.image.title="holdfast/payments"
COPY --from=files /images/payments ./
ENV METRICS_PORT=9085
EXPOSE 8085 9085
CMD ["node", "dist/payments.js"]

FROM base AS notifications
LABEL org.opencontainers.image.title="holdfast/notifications"
COPY --from=files /images/notifications ./
ENV METRICS_PORT=9086
EXPOSE 8086 9086
CMD ["node", "dist/notifications.js"]

# Plays the providers and the ledger network in development, and refuses to run in production.
FROM base AS sandbox
LABEL org.opencontainers.image.title="holdfast/sandbox"
COPY --from=files /images/sandbox ./
USER 0:0
RUN install -d -o 1000 -g 1000 /var/lib/holdfast
USER 1000:1000
ENV NODE_ENV=development METRICS_PORT=9090
EXPOSE 8090 9090
CMD ["node", "dist/sandbox.js"]

# Runs to its end: creates roles and schemas and migrates them. `node dist/secrets.js` makes the secrets of docker-compose.yml.
FROM base AS migrate
LABEL org.opencontainers.image.title="holdfast/migrate"
COPY --from=files /images/migrate ./
HEALTHCHECK NONE
CMD ["node", "dist/migrate.js"]

# The commands of operators beside a running installation; it serves nothing. `docker run holdfast/operator emergency status`.
FROM base AS operator
LABEL org.opencontainers.image.title="holdfast/operator"
COPY --from=files /images/operator ./
ENV PATH=/app/bin:$PATH
HEALTHCHECK NONE
ENTRYPOINT ["operator"]
CMD ["--help"]
