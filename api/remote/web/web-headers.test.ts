/** What a hostile page of a device tries with headers: nothing of it leaves the origin of its session. */
import { describe, expect, it } from 'vitest'
import { cookiesIn, SESSION_COOKIE, toBrowser, toDevice } from './web-headers.ts'

const names = {
  target: new URL('http://192.168.1.1:8080'),
  known: ['192.168.1.1'],
  own: new URL('https://0123abcd.remote.example.test'),
}

describe('what the browser gets', () => {
  it('keeps cookies of the device on the origin of its session', () => {
    const { 'set-cookie': cookies } = toBrowser(
      {
        'set-cookie': [
          'token=stolen; Domain=example.test; Path=/',
          'sysauth_http=1; path=/cgi-bin/luci; DOMAIN=.remote.example.test; SameSite=Strict',
          `${SESSION_COOKIE}=other; Path=/`,
          ` ${SESSION_COOKIE} =other`,
        ],
      },
      names,
    )
    expect(cookies).toEqual(['token=stolen; Path=/', 'sysauth_http=1; path=/cgi-bin/luci; SameSite=Strict'])
  })

  it('keeps cookies of a device with TLS also where its pages are served without', () => {
    const plain = { ...names, own: new URL('http://0123abcd.localhost:8081') }
    const cookie = 'token=1; Path=/; Secure; HttpOnly; SameSite=None; Partitioned'
    expect(toBrowser({ 'set-cookie': [cookie, 'b=2; SameSite=Lax'] }, plain)['set-cookie']).toEqual([
      'token=1; Path=/; HttpOnly',
      'b=2; SameSite=Lax',
    ])
    expect(toBrowser({ 'set-cookie': [cookie] }, names)['set-cookie']).toEqual([cookie])
  })

  it('leads a page that is shown for some seconds on into the session, and leaves other addresses', () => {
    const refresh = (text: string) => toBrowser({ refresh: text }, names)['refresh']
    expect(refresh('0; url=http://192.168.1.1:8080/next?a=1')).toBe(`0; url=${names.own.origin}/next?a=1`)
    expect(refresh('3;URL="//192.168.1.1:8080/next"')).toBe(`3;URL="${names.own.origin}/next"`)
    for (const kept of [
      '5',
      '5; url=/next',
      '5; url=http://192.168.1.1/other',
      '1; url=https://elsewhere.test/',
    ])
      expect(refresh(kept)).toBe(kept)
  })

  it('has no header that would outlive the session or open it to other origins', () => {
    const shown = toBrowser(
      {
        'strict-transport-security': 'max-age=1',
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
        'service-worker-allowed': '/',
        'clear-site-data': '"*"',
        'alt-svc': 'h3=":443"',
        'report-to': '{}',
        'content-security-policy': 'frame-ancestors *',
        'x-own': 'stays',
      },
      names,
    )
    expect(Object.keys(shown).sort()).toEqual([
      'content-security-policy',
      'cross-origin-opener-policy',
      'referrer-policy',
      'x-own',
      'x-robots-tag',
    ])
    // Both policies hold: the stricter one decides.
    expect(shown['content-security-policy']).toBe("frame-ancestors *, frame-ancestors 'self'")
  })

  it('follows only redirects to the device itself', () => {
    const led = (location: string) => toBrowser({ location }, names)['location']
    expect(led('http://192.168.1.1:8080/admin?x=1#y')).toBe(
      'https://0123abcd.remote.example.test/admin?x=1#y',
    )
    // Another machine is another session.
    expect(led('http://192.168.1.2/')).toBe('http://192.168.1.2/')
    expect(led('/cgi-bin/luci')).toBe('/cgi-bin/luci')
  })
})

describe('what the device gets', () => {
  it('neither the cookie of the session nor who forwards', () => {
    const sent = toDevice(
      {
        host: '127.0.0.1:9999',
        cookie: `a=1; ${SESSION_COOKIE}=secret; b=2`,
        'x-forwarded-host': 'evil.example',
        'x-forwarded-for': '10.0.0.1',
        forwarded: 'host=evil.example',
        origin: 'https://0123abcd.remote.example.test',
        referer: 'https://0123abcd.remote.example.test/page',
        'transfer-encoding': 'chunked',
        connection: 'upgrade',
        upgrade: 'h2c',
      },
      names,
    )
    expect(sent).toEqual({
      host: '192.168.1.1:8080',
      cookie: 'a=1; b=2',
      origin: 'http://192.168.1.1:8080',
      referer: 'http://192.168.1.1:8080/page',
    })
    expect(toDevice({ origin: 'https://evil.example' }, names)['origin']).toBe('null')
    expect(cookiesIn(`a=1; ${SESSION_COOKIE}=secret`)).toEqual(['secret'])
    expect(cookiesIn(`x${SESSION_COOKIE}=secret`)).toEqual([])
  })

  it('the encodings that can be read here: `deflate` is two formats', () => {
    const sent = toDevice({ 'accept-encoding': 'gzip, deflate, br;q=0.8' }, names)
    expect(sent['accept-encoding']).toBe('gzip, br;q=0.8')
  })
})
