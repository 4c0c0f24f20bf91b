/** The built console: hashed assets are cached forever, index.html never; every page path returns index.html. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { homeScreen, loginScreen } from '#schema/people/session'
import { FIRST_FILES } from '#schema/platform/first-files'
import { transportRefusals } from '#schema/platform/transport-refusals'
import { consolePage } from './console-page.ts'
import { sendRefusal } from './kit/errors.ts'

const built = fileURLToPath(new URL('../web/dist', import.meta.url))
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

/** As the build names its files: nothing that leads out of their folder. */
const FILE = /^\w[\w.-]*$/

/** By folder, since the plugin's thousand routes took half of the server's start time. */
function serveFilesOf(app: FastifyInstance, dist: string): void {
  for (const entry of readdirSync(dist, { withFileTypes: true })) {
    if (entry.isFile()) app.get(`/${entry.name}`, (_request, reply) => reply.sendFile(entry.name))
    else {
      const send = (
        { params: { file } }: FastifyRequest<{ Params: { file: string } }>,
        reply: FastifyReply,
      ) => (FILE.test(file) ? reply.sendFile(`${entry.name}/${file}`) : reply.callNotFound())
      app.get(`/${entry.name}/:file`, send)
    }
  }
}

/**
 * The page of the present build: one that is made under a running server has other files, without which the former page
 * would stay blank. While it is made, and has not been written completely, the former page stays.
 */
function presentPage(dist: string, log: FastifyInstance['log']): ReturnType<typeof consolePage> {
  // The build writes it last.
  const madeAt = () => statSync(`${dist}/${FIRST_FILES}`, { throwIfNoEntry: false })?.mtimeMs
  let seen = madeAt()
  let page = consolePage(dist)
  return (request, reply) => {
    const now = madeAt()
    if (now !== undefined && now !== seen)
      try {
        page = consolePage(dist)
        seen = now
      } catch (error) {
        log.warn({ err: error }, 'the new build of the console cannot be read yet')
      }
    return page(request, reply)
  }
}

/** @param dist the folder of the build */
export async function serveConsole(app: FastifyInstance, dist = built): Promise<void> {
  const page = existsSync(`${dist}/${FIRST_FILES}`) ? presentPage(dist, app.log) : undefined
  if (page) {
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
    serveFilesOf(app, dist)
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
