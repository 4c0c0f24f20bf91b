/** The HTTP server: limits, headers, routes. */

import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import jwt from '@fastify/jwt'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Context } from '#infra/context'
import { isAmong } from '#infra/proxies'
import { networkOf } from '#schema/kit/address'
import { bodyLimits, type Call } from '#schema/kit/call'
import { transportRefusals } from '#schema/platform/transport-refusals'
import { serveConsole } from './console.ts'
import { serveBackupUploads } from './device/backup-uploads.ts'
import { serveEmqx } from './emqx.ts'
import { serveFiles } from './files.ts'
import { serveN2nLists } from './group/n2n-list.ts'
import { serveHealth } from './health.ts'
import { boundConnections } from './kit/connections.ts'
import { handleErrors, requestIdOf, sendRefusal } from './kit/errors.ts'
import { dropPorts, warnOfProxies } from './kit/forwarded.ts'
import { acceptJson } from './kit/json-body.ts'
import { brings, isLate } from './kit/late-body.ts'
import { openCallMetrics } from './kit/metrics.ts'
import { closeWithEnvelope, handleUnserved, refuseUnparsed } from './kit/parser-errors.ts'
import { serveCalls } from './kit/serve.ts'
import { disableCaching } from './kit/unchanged.ts'
import { isMqttPath } from './mqtt-forward.ts'
import { serveOpenapi } from './openapi.ts'
import { serveImages } from './people/images.ts'
import { servePortalPictures } from './portal/portal-pictures.ts'
import { isSessionPath } from './remote/session-sockets.ts'

/** A JSON body that takes longer is a slow-body attack. */
const BODY_MAX_MS = 30_000
/** Limit for input without a login. */
const OPEN_BODY_MAX_MS = 10_000
/** Longer than the path of any page, call or file; a query may be longer. */
const PATH_MAX_LENGTH = 1024
/** Per address and minute: far above a room full of consoles behind one NAT. */
const REQUESTS_PER_MINUTE = 12_000

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: Call
    /** The handler reads the body itself, as a stream. */
    upload?: boolean
  }
}

function guardBodies(app: FastifyInstance, bodyMaxMs: number): void {
  const raw = [
    'application/octet-stream',
    'application/gzip',
    'application/x-gzip',
    'application/x-compressed-tar',
  ]
  acceptJson(app)
  // The handler reads the stream itself, so that it can count, hash and stop.
  app.addContentTypeParser(raw, ({ routeOptions }, _payload, done) =>
    done(routeOptions.config.upload ? null : Object.assign(new Error(), { statusCode: 415 })),
  )
  app.addHook('onRequest', async (request, reply) => {
    if ((request.url.split('?', 1)[0] ?? '').length > PATH_MAX_LENGTH)
      return sendRefusal(request, reply, 414, transportRefusals.pathTooLong)
    // Node would respond to this without our envelope.
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      return sendRefusal(request, reply, 400, transportRefusals.badJson)
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity')
      return sendRefusal(request, reply, 415, transportRefusals.wrongMediaType)
    if (request.is404 && brings(request.headers))
      return sendRefusal(request, reply, 404, transportRefusals.unknownPath)
    const { call, upload } = request.routeOptions.config
    if (upload || !brings(request.headers)) return
    const most = call && call.permission !== 'none' ? bodyMaxMs : Math.min(bodyMaxMs, OPEN_BODY_MAX_MS)
    const timer = setTimeout(() => {
      // An unread body never ends, so its timer may outlive the server.
      if (app.server.listening)
        closeWithEnvelope(request.raw.socket, transportRefusals.tooSlow, request.headers['accept-language'])
    }, most)
    request.raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
    // Requests refused without reading have their own timeout (late-body.ts); in an injecting test nothing else ends
    // it.
    reply.raw.once('finish', () => isLate(request) || clearTimeout(timer))
  })
}

/** Sources of map tiles for the console; a variable name (`{s}`) becomes a wildcard. */
function tileSources(url: string | undefined): string[] {
  const found = url?.match(/^(https?:\/\/)([^/?#]+)/)
  return found ? [`${found[1]}${(found[2] ?? '').replace(/^[^.]*\{\w+\}[^.]*/, '*')}`] : []
}

/** Builds the server without listening. @throws if the declarations are inconsistent. */
export async function buildServer(
  context: Context,
  bodyMaxMs = BODY_MAX_MS,
  callMs?: number,
): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    genReqId: requestIdOf,
    bodyLimit: bodyLimits.open,
    trustProxy: (address) => isAmong(context.env.TRUSTED_PROXIES, address),
    forceCloseConnections: true,
    connectionTimeout: 65_000,
    keepAliveTimeout: 60_000,
    http: {
      headersTimeout: 9_000,
      // At this interval a silent or slow socket is closed within 10 s.
      connectionsCheckingInterval: 500,
      requestTimeout: 3_600_000,
      maxHeaderSize: 16_384,
      requireHostHeader: false,
      // Java's client and curl --http2 offer h2c with every request: the offer is declined, the connection stays
      // open.
      shouldUpgradeCallback: ({ url }) => isMqttPath(url) || isSessionPath(url),
    },
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: refuseUnparsed,
    // A malformed path; Fastify's own response would echo it, and is not an envelope.
    frameworkErrors: (_error, request, reply) =>
      void sendRefusal(request, reply, 400, transportRefusals.badJson),
  })
  handleErrors(app, context)
  disableCaching(app)
  dropPorts(app)
  warnOfProxies(app, context)
  boundConnections(app, context)
  guardBodies(app, bodyMaxMs)
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...tileSources(context.env.MAP_TILE_URL)],
        connectSrc: ["'self'", 'ws:', 'wss:'],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
      },
    },
    // Plain HTTP on a LAN is a valid installation; a proxy with TLS sets this itself.
    hsts: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })
  await app.register(rateLimit, {
    max: REQUESTS_PER_MINUTE,
    timeWindow: 60_000,
    // A client that has disconnected has no address: not a reason to log a fault.
    keyGenerator: (request) => networkOf(request.ip ?? ''),
  })
  await app.register(compress, { encodings: ['gzip'], threshold: 1024 })
  await app.register(jwt, {
    secret: context.env.JWT_SECRET,
    sign: { algorithm: 'HS256' },
    verify: { algorithms: ['HS256'] },
  })
  handleUnserved(app)
  const metrics = openCallMetrics(context)
  const calls = await serveCalls(app, context, metrics, callMs)
  await serveOpenapi(app, calls)
  serveHealth(app, context, metrics)
  serveFiles(app, context)
  serveBackupUploads(app, context)
  servePortalPictures(app, context)
  serveN2nLists(app, context)
  serveEmqx(app, context)
  serveImages(app, context)
  await serveConsole(app)
  return app
}
