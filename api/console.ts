/** The built console: hashed assets are cached forever, index.html never; every page path returns index.html. */

import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { homeScreen, loginScreen } from '#schema/people/session'
import { FIRST_FILES } from '#schema/platform/first-files'
import { transportRefusals } from '#schema/platform/transport-refusals'
import { consolePage } from './console-page.ts'
import { sendRefusal } from './kit/errors.ts'

const dist = fileURLToPath(new URL('../web/dist', import.meta.url))
const YEAR_MS = 365 * 86_400_000

/** Opening them ends the session [§4]. */
const ENDING: readonly string[] = ['/', loginScreen.path]
/** A navigation that the user began, or that a page of the console leads to. */
const OWN_SITES: readonly unknown[] = ['none', 'same-origin']

/** Whether another site leads here. Browsers say so on TLS and on this machine; elsewhere only by the page that they come from. */
function isLedByOthers({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return !OWN_SITES.includes(site)
  return headers.referer !== undefined && URL.parse(headers.referer)?.host !== host
}

/**
 * Serves only the files that the build contained at start, like the plugin itself would; but its thousand routes took
 * half of the server's start time.
 */
function serveFilesOf(app: FastifyInstance): void {
  for (const entry of readdirSync(dist, { withFileTypes: true })) {
    if (entry.isFile()) app.get(`/${entry.name}`, (_request, reply) => reply.sendFile(entry.name))
    else {
      const files = new Set(readdirSync(`${dist}/${entry.name}`))
      const send = (
        { params: { file } }: FastifyRequest<{ Params: { file: string } }>,
        reply: FastifyReply,
      ) => (files.has(file) ? reply.sendFile(`${entry.name}/${file}`) : reply.callNotFound())
      app.get(`/${entry.name}/:file`, send)
    }
  }
}

export async function serveConsole(app: FastifyInstance): Promise<void> {
  const built = existsSync(`${dist}/${FIRST_FILES}`)
  const page = built ? consolePage(dist) : undefined
  if (built) {
    await app.register(fastifyStatic, {
      root: dist,
      serve: false,
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
    serveFilesOf(app)
  }
  app.setNotFoundHandler((request, reply) => {
    const isPage =
      ['GET', 'HEAD'].includes(request.method) &&
      !/^\/(api|files|images|mqtt|assets)(\/|$)/.test(request.url.split('?')[0] ?? '')
    if (!isPage || !page) return sendRefusal(request, reply, 404, transportRefusals.unknownPath)
    // Another site must not log the user out by a link: its visitor comes home, or to the login if there is no session.
    if (ENDING.includes(request.url.split('?')[0] ?? '') && isLedByOthers(request))
      return reply.header('cache-control', 'no-cache').redirect(homeScreen.path)
    return page(request, reply)
  })
}
