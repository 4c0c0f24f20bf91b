/** X-Forwarded-For is trusted only from TRUSTED_PROXIES; a proxy that is probably missing there is logged once. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '#infra/context'
import { isAmong, isLoopback, withoutPort } from '#infra/proxies'

type Settings = Pick<Context, 'env'>
const peerOf = ({ raw }: FastifyRequest) => raw.socket.remoteAddress ?? ''

/** Whether the request comes from this machine itself, not through an unconfigured proxy on it. */
export const isLocal = ({ env }: Settings, request: FastifyRequest): boolean =>
  isLoopback(request.ip) &&
  (request.headers['x-forwarded-for'] === undefined || isAmong(env.TRUSTED_PROXIES, peerOf(request)))

/** Removed before `request.ip` is used: with its port, one client would look different with every connection. */
export function dropPorts(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const named = raw.headers['x-forwarded-for']
    if (typeof named === 'string')
      raw.headers['x-forwarded-for'] = named
        .split(',')
        .map((part) => withoutPort(part.trim()))
        .join(', ')
  })
}

export function warnOfProxies(app: FastifyInstance, { env, log }: Pick<Context, 'env' | 'log'>): void {
  let warned = false
  app.addHook('onRequest', async (request) => {
    if (warned || request.headers['x-forwarded-for'] === undefined) return
    const peer = peerOf(request)
    if (!isLoopback(peer) || isAmong(env.TRUSTED_PROXIES, peer)) return
    warned = true
    log.warn(
      'a proxy on this machine sends X-Forwarded-For, which is not trusted: all its users count as one address. If it is yours, set TRUSTED_PROXIES=loopback',
    )
  })
}
