/**
 * The community list of a supernode, fetched by its host with the server's token: one community per group with a
 * remote account, with the account as its user. Format: n2n's community.list and doc/Authentication.md.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Context } from '#infra/context'
import { n2nPublicKey } from '#infra/group/n2n-key'
import { hashSecret, sameText, sign } from '#infra/secrets'
import { n2nUserName, networkOf } from '#schema/group/group-remote'
import { N2N_USERS_SINCE } from '#schema/group/n2n-server'

type Server = { id: number; version: number; tokenHash: string }
type Account = { account: string; key: string; ip: string | null; bits: number | null; bridged: boolean }

/** A name that no account can have, because it is too short. */
const CLOSED = 'none'

/**
 * Bridged groups take their addresses from the LAN behind the gateway; the supernode assigns none of them. The list
 * is never empty: a supernode with an empty one would admit every edge. No edge has a key for the closed community.
 */
export function communityList(server: Pick<Server, 'version'>, accounts: readonly Account[], secret: string) {
  const users = server.version >= N2N_USERS_SINCE
  const lines = accounts.flatMap(({ account, key, ip, bits, bridged }) => {
    const network = users && !bridged && ip !== null && bits !== null ? ` ${networkOf(ip, bits)}` : ''
    return users ? [`${account}${network}`, `* ${n2nUserName(account)} ${key}`] : [account]
  })
  const closed = users
    ? [CLOSED, `* ${CLOSED} ${n2nPublicKey(CLOSED, sign(secret, 'n2n-closed'))}`]
    : [
        sign(secret, 'n2n-closed')
          .replace(/[^A-Za-z0-9]/g, '')
          .slice(0, 19),
      ]
  return `${['# made by the platform; changes are overwritten', ...closed, ...lines].join('\n')}\n`
}

const bearer = (header: string | undefined) => /^bearer (\S+)$/i.exec(header ?? '')?.[1]

async function find(context: Context, id: string, token: string | undefined): Promise<Server | null> {
  const serverId = Number(id)
  if (!token || !/^\d{1,9}$/.test(id)) return null
  const [server] = await context.sql<Server[]>`
    select id, version, token_hash as "tokenHash" from n2n_servers where id = ${serverId}`
  // An unknown server returns the same as a wrong token, so that ids cannot be probed.
  return server && sameText(server.tokenHash, hashSecret(token)) ? server : null
}

export function serveN2nLists(app: FastifyInstance, context: Context): void {
  app.get<{ Params: { id: string }; Querystring: { token?: string } }>(
    '/n2n/:id/community.list',
    async (request, reply) => {
      const token = bearer(request.headers.authorization) ?? request.query.token
      const server = await find(context, request.params.id, typeof token === 'string' ? token : undefined)
      if (!server)
        return reply
          .status(401)
          .header('www-authenticate', 'Bearer realm="n2n"')
          .type('text/plain')
          .send('wrong token\n')
      const accounts = await context.sql<Account[]>`
        select remote_account as account, remote_key as key, remote_ip as ip, mask_bits as bits, bridged
        from groups where n2n_server_id = ${server.id} and remote_account is not null order by id`
      const text = communityList(server, accounts, context.env.JWT_SECRET)
      await context.sql`update n2n_servers set fetched_at = ${context.now()} where id = ${server.id}`
      const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
      reply.header('etag', etag).header('cache-control', 'private, no-cache')
      if (request.headers['if-none-match'] === etag) return reply.status(304).send()
      return reply.type('text/plain; charset=utf-8').send(text)
    },
  )
}
