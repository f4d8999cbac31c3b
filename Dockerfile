# The ledger. There is no build step: Node runs the sources as they are.
FROM node:26.10.0-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# The one install script among these packages is that of `node`, which would bring a second Node (143 MB) beside this image's.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:26.10.0-trixie-slim
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
COPY deploy/ready.mjs ./deploy/
COPY projections ./projections
COPY src ./src
# A new volume takes over this folder's owner and mode.
RUN install -d -o node -g node -m 0700 /data
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "deploy/ready.mjs"]
ENTRYPOINT ["node", "src/ramp-ledger.mjs"]
CMD ["serve"]
