# The program with everything it needs, as an unprivileged user. Two lines serve it on loopback of this machine:
#   docker build -t callboard:0.1.0 .
#   docker run --rm --network host callboard:0.1.0 serve
# Without `serve` it listens on every address of the container, and asks for CALLBOARD_JWT_SECRET or CALLBOARD_JWKS_URL.
FROM node:22.20.0-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --ignore-scripts && npm run --silent build && npm prune --omit=dev --ignore-scripts

FROM node:22.20.0-slim
ENV NODE_ENV=production CALLBOARD_HOME=/var/lib/callboard
RUN mkdir -p /var/lib/callboard /work && chown node:node /var/lib/callboard /work
COPY --from=build --chown=root:root /app /app
USER node
WORKDIR /work
VOLUME /var/lib/callboard
EXPOSE 4100
ENTRYPOINT ["node", "/app/packages/code/dist/callboard-cli.js"]
CMD ["serve", "--host", "0.0.0.0", "--port", "4100"]
