/** The web page of a device is hostile: it gets at nothing of the console, nor of another session, and leaves nothing behind. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { afterAll, describe, expect, it } from 'vitest'
import { SESSION_COOKIE } from '#api/remote/web/web-headers'
import { TEST_PASSWORD, type TestDevice } from '#test/tenants'
import { playDevice } from '../walks/played-device.ts'
import { until } from '../walks/until.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser } from './open-browser.ts'

const endings: (() => void)[] = []
afterAll(() => {
  for (const end of endings) end()
})

/** A web page of a device, and what its server has been sent. */
async function pageOf(text: string): Promise<{ server: Server; port: number; heard: IncomingHttpHeaders[] }> {
  const heard: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    heard.push(request.headers)
    if (request.url === '/sw.js')
      return void response
        .writeHead(200, { 'content-type': 'text/javascript', 'service-worker-allowed': '/' })
        .end('self.addEventListener("fetch", (e) => e.respondWith(new Response("taken over")))')
    response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'set-cookie': `of_device=${text}; Path=/`,
        'access-control-allow-origin': '*',
      })
      .end(`<!doctype html><h1>${text}</h1>`)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  endings.push(() => server.close())
  return { server, port: (server.address() as AddressInfo).port, heard }
}

describe.skipIf(noBrowser)('a hostile page of a device', () => {
  let opening: Opening
  let as: string
  eachConsole(async (next) => {
    opening = next
    as = await next.booted.login(next.tenants.a.admin.username, TEST_PASSWORD)
    await next.enter(next.tenants.a.admin.username)
  })

  /** The page of a session in a window of its own. */
  async function show(port: number, device: TestDevice): Promise<{ shown: Page; sessionId: string }> {
    const { booted, tenants, page } = opening
    const played = await playDevice(booted, tenants, { device, port, kind: 'web' })
    endings.push(played.close)
    const { sessionId } = played
    await until('the tunnel', async () => {
      const { data } = await booted.call('remote/getRemote', { sessionId }, as)
      return (data as { tunnelAt: unknown }).tunnelAt
    })
    const { data } = await booted.call('remote/getRemoteTicket', { sessionId }, as)
    const shown = await page.context().newPage()
    await shown.goto((data as { url: string }).url)
    return { shown, sessionId }
  }

  it('gets at no cookie, storage, call, socket or window of the console or of another session', async () => {
    const { page, booted, tenants } = opening
    const [first, second] = tenants.a.devices
    if (!first || !second) throw new Error('two devices')
    await page.goto('/dashboard')
    const hostile = await pageOf('hostile')
    const other = await pageOf('other')
    const victim = await show(other.port, second)
    await victim.shown.getByRole('heading', { name: 'other' }).waitFor()
    const { shown, sessionId } = await show(hostile.port, first)
    await shown.getByRole('heading', { name: 'hostile' }).waitFor()
    const victimOrigin = new URL(victim.shown.url()).origin

    const got = await shown.evaluate(
      async ({ console: home, other: there, cookie }) => {
        const said: Record<string, unknown> = { cookies: document.cookie }
        // Cookies for everybody below and beside it.
        for (const domain of ['localhost', '.localhost', location.hostname])
          for (const name of [cookie, 'token', 'sysauth']) {
            // biome-ignore lint/suspicious/noDocumentCookie: as any script of a page can
            document.cookie = `${name}=forged; domain=${domain}; path=/`
          }
        for (const [name, url] of [
          ['console', `${home}/api/user/getUserDetails`],
          ['other', `${there}/`],
        ] as const) {
          said[name] = await fetch(url, { method: 'POST', credentials: 'include' }).then(
            () => 'read',
            () => 'refused',
          )
          said[`${name} socket`] = await new Promise((done) => {
            const socket = new WebSocket(`${url.replace('http', 'ws')}`)
            socket.onopen = () => done('open')
            socket.onerror = () => done('refused')
          })
          const frame = document.createElement('iframe')
          frame.src = url
          document.body.append(frame)
          await new Promise((done) => {
            frame.onload = done
          })
          said[`${name} frame`] = frame.contentDocument === null ? 'closed' : 'open'
          const opened = window.open(name === 'other' ? url : `${home}/dashboard`)
          const read = () => {
            try {
              return opened ? String(opened.document.cookie) + opened.localStorage.length : 'closed'
            } catch {
              return 'closed'
            }
          }
          // Until the window has left its first empty page, which belongs to who opens it: on a slow machine that takes a while.
          await new Promise((done) => setTimeout(done, 1_000))
          for (let i = 0; i < 200 && read() !== 'closed'; i++)
            await new Promise((done) => setTimeout(done, 100))
          said[`${name} window`] = read()
          opened?.close()
        }
        said['opener'] = String(window.opener)
        said['worker'] = await navigator.serviceWorker.register('/sw.js', { scope: '/' }).then(
          () => 'registered',
          (error: Error) => error.name,
        )
        said['workers'] = (await navigator.serviceWorker.getRegistrations()).length
        return said
      },
      { console: booted.url, other: victimOrigin, cookie: SESSION_COOKIE },
    )
    expect(got).toEqual({
      cookies: 'of_device=hostile',
      console: 'refused',
      'console socket': 'refused',
      'console frame': 'closed',
      'console window': 'closed',
      other: 'refused',
      'other socket': 'refused',
      'other frame': 'closed',
      'other window': 'closed',
      opener: 'null',
      worker: 'TypeError',
      workers: 0,
    })
    // Frames are empty, not only unreadable.
    for (const frame of shown.frames().slice(1)) expect(frame.url()).toMatch(/^chrome-error:/)

    // The other session and the console are as they were, and no server of a device got what is not its own.
    await victim.shown.reload()
    await victim.shown.getByRole('heading', { name: 'other' }).waitFor()
    await page.reload()
    await page.locator('main').first().waitFor()
    expect(new URL(page.url()).pathname).not.toBe('/login')
    expect(await page.evaluate(() => document.cookie)).not.toContain('forged')
    for (const { heard } of [hostile, other])
      for (const headers of heard) {
        expect(headers.cookie ?? '').not.toContain(SESSION_COOKIE)
        expect(headers.cookie ?? '').not.toMatch(/of_device=(hostile.*other|other.*hostile)/)
        expect(headers['token']).toBeUndefined()
      }
    expect(JSON.stringify(other.heard)).not.toContain('hostile')

    // Nothing answers in its place once the session has ended.
    await booted.call('remote/closeRemote', { sessionId }, as)
    await until('it is over', async () => ((await shown.reload())?.status() ?? 0) === 404)
    expect(await shown.getByText('hostile').count()).toBe(0)
  }, 120_000)

  it('a console page that leads to a session is framed by nobody, loads scripts from itself only, and shows no device in a frame', async () => {
    const { page, tenants } = opening
    const [device] = tenants.a.devices
    for (const path of ['web', 'gateone', 'terminal/webssh', 'terminal/watch'] as const) {
      const answer = await page.goto(`/${path}/${device?.id}/${device?.sn}`)
      const policy = String((await answer?.allHeaders())?.['content-security-policy'])
      const said = new Map(
        policy.split(';').map((part) => {
          const [name = '', ...values] = part.trim().split(' ')
          return [name, values.join(' ')] as const
        }),
      )
      expect(said.get('script-src'), path).toBe("'self'")
      expect(said.get('frame-ancestors'), path).toBe("'none'")
      expect(said.get('object-src'), path).toBe("'none'")
      expect(said.get('base-uri'), path).toBe("'self'")
      expect(said.get('form-action'), path).toBe("'self'")
      // No frame-src: the default holds, so that no page of a device is shown inside the console.
      expect(said.get('frame-src') ?? said.get('default-src'), path).toBe("'self'")
    }
  })
})
