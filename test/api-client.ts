/** The API without a socket: injects calls as a user. */
import type { FastifyInstance } from 'fastify'
import { buildServer } from '#api/server'
import type { Envelope } from '#schema/kit/envelope'
import { afterFile } from './after-file.ts'
import { type TestContext, testContext } from './harness.ts'
import { oneConnection } from './one-connection.ts'
import { seedTenants, TEST_PASSWORD, type Tenants } from './tenants.ts'

export type ApiTest = {
  context: TestContext
  app: FastifyInstance
  tenants: Tenants
  /** Logs in once per user and caches the token. */
  token(user: { username: string }): Promise<string>
  /** POSTs a call; `who` may be a user or a token. The message is English unless `headers` says otherwise. */
  call<T = unknown>(
    name: string,
    body?: unknown,
    who?: { username: string } | string,
    headers?: Record<string, string>,
  ): Promise<Envelope<T> & { status: number }>
}

/** A server on its own database with two tenants; closed after the file's tests. */
export async function apiTest(env: Record<string, string> = {}): Promise<ApiTest> {
  const context = await testContext(env)
  const tenants = await seedTenants(context)
  const app = await buildServer(oneConnection(context))
  await app.ready()
  afterFile(() => app.close())
  const tokens = new Map<string, string>()
  const call: ApiTest['call'] = async (name, body = {}, who, headers = {}) => {
    const token = typeof who === 'string' ? who : who ? await find(who) : undefined
    const response = await app.inject({
      method: 'POST',
      url: `/api/${name}`,
      headers: { 'accept-language': 'en-US', ...(token ? { token } : {}), ...headers },
      payload: body as object,
    })
    return { ...response.json(), status: response.statusCode }
  }
  const find = async (user: { username: string }): Promise<string> => {
    const known = tokens.get(user.username)
    if (known) return known
    const answer = await call<{ token: string }>('userLogin', {
      username: user.username,
      password: TEST_PASSWORD,
    })
    if (answer.code !== 0 || !answer.data) throw new Error(`login of ${user.username}: ${answer.message}`)
    tokens.set(user.username, answer.data.token)
    return answer.data.token
  }
  return { context, app, tenants, call, token: find }
}
