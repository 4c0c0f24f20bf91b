/** The built console: hashed assets are cached forever, index.html never; every page path returns index.html. */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { transportRefusals } from '#schema/platform/transport-refusals'
import { sendRefusal } from './kit/errors.ts'

const dist = fileURLToPath(new URL('../web/dist', import.meta.url))
const YEAR_MS = 365 * 86_400_000

export async function serveConsole(app: FastifyInstance): Promise<void> {
  const built = existsSync(`${dist}/index.html`)
  if (built) {
    await app.register(fastifyStatic, {
      root: dist,
      wildcard: false,
      index: false,
      cacheControl: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        reply.header(
          'cache-control',
          path.includes('/assets/') ? `public, max-age=${YEAR_MS / 1000}, immutable` : 'no-cache',
        )
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    const page =
      ['GET', 'HEAD'].includes(request.method) &&
      !/^\/(api|files|images|mqtt|assets)(\/|$)/.test(request.url.split('?')[0] ?? '')
    if (!page || !built) return sendRefusal(request, reply, 404, transportRefusals.unknownPath)
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').sendFile('index.html')
  })
}
