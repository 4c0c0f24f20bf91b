import { connect, createServer as createTcp, Socket } from 'node:net'
import tls from 'node:tls'
import { generate } from 'selfsigned'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { queueMail } from '#infra/mail'
import { openMailbox } from '#test/mailbox'
import { until } from '#test/walks/until'
import { type Bench, openBench } from '#test/worker-bench'
import { sendMailsJob } from './send-mails.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterEach(() => bench.ctx.sql`delete from mails`)

const run = (SMTP_URL: string | undefined, env: object = {}) =>
  sendMailsJob.run({ ...bench.ctx, env: { ...bench.ctx.env, SMTP_URL, ...env } }, {})
const write = (more: object = {}) =>
  queueMail(bench.ctx.sql, bench.ctx.parameters, {
    purpose: 'report',
    customerId: null,
    recipient: 'someone@example.test',
    subject: 'Hello',
    text: 'A line\n',
    ...more,
  })
const mail = async (id: number) => {
  const [row] = await bench.ctx.sql<
    { state: string; attempts: number; error: string | null; kept: boolean; waitS: number }[]
  >`select state, attempts, error, kept, round(extract(epoch from due_at - now()))::int as "waitS" from mails where id = ${id}`
  if (!row) throw new Error('no such mail')
  return row
}
const dueNow = () => bench.ctx.sql`update mails set due_at = now() where not kept`

describe('mail', () => {
  it('is sent once by SMTP, with its attachment', async () => {
    const box = await openMailbox()
    const files = [{ name: 'report.csv', mime: 'text/csv', text: 'a,b\r\n1,2\r\n' }]
    const id = await write({ subject: '邮箱绑定', files })
    await run(`smtp://${box.url}`)
    await run(`smtp://${box.url}`)
    expect(await mail(id)).toMatchObject({ state: 'sent', attempts: 1, error: null })
    expect(box.letters).toHaveLength(1)
    expect(box.letters[0]).toContain('To: someone@example.test')
    expect(box.letters[0]).toContain('From: no-reply@localhost')
    expect(box.letters[0]).toContain('filename=report.csv')
    expect(box.letters[0]).toContain('Auto-Submitted: auto-generated')
    expect(box.letters[0]).toMatch(/Message-ID: <mail-\d+@localhost>/)
  })

  it('that was written before the clock was set back is sent, in its turn', async () => {
    const box = await openMailbox()
    const [first, later] = [await write(), await write()]
    await bench.ctx
      .sql`update mails set created_at = now() + interval '1 day', due_at = now() + interval '1 day'`
    await bench.ctx.sql`update mails set due_at = due_at + interval '1 hour' where id = ${later}`
    await run(`smtp://${box.url}`)
    expect(await mail(first)).toMatchObject({ state: 'sent' })
    const { state, waitS } = await mail(later)
    expect(state).toBe('draft')
    expect(waitS).toBeGreaterThan(3000)
    expect(waitS).toBeLessThanOrEqual(3600)
  })

  it('is retried when the server is unavailable: after one minute, then two, never twice within one', async () => {
    const away = createTcp()
    await new Promise<void>((done) => away.listen(0, '127.0.0.1', done))
    const { port } = away.address() as { port: number }
    await new Promise((done) => away.close(done))
    const id = await write()
    await run(`smtp://127.0.0.1:${port}`)
    const once = await mail(id)
    expect(once).toMatchObject({ state: 'sending', attempts: 1 })
    expect(once.error).toContain('ECONNREFUSED')
    // Some of the pause may be over already.
    expect(once.waitS).toBeLessThanOrEqual(60)
    expect(once.waitS).toBeGreaterThan(0)
    await run(`smtp://127.0.0.1:${port}`)
    expect((await mail(id)).attempts).toBe(1)
    await dueNow()
    await run(`smtp://127.0.0.1:${port}`)
    const twice = await mail(id)
    expect(twice.attempts).toBe(2)
    expect(twice.waitS).toBeLessThanOrEqual(120)
    expect(twice.waitS).toBeGreaterThan(60)
    const box = await openMailbox()
    await dueNow()
    await run(`smtp://${box.url}`)
    expect((await mail(id)).state).toBe('sent')
  })

  it('an outage costs one try of one mail, not of all waiting mails', async () => {
    for (let i = 0; i < 3; i++) await write()
    await run('smtp://127.0.0.1:1')
    const rows = await bench.ctx.sql<{ attempts: number }[]>`select attempts from mails order by attempts`
    expect(rows.map(({ attempts }) => attempts)).toEqual([0, 0, 1])
  })

  it('to a recipient that the server refuses fails immediately, with the server’s reply, and the next one is sent', async () => {
    const box = await openMailbox({
      onRcptTo: ({ address }, _session, done) =>
        done(
          address.startsWith('nobody')
            ? Object.assign(new Error('no such user'), { responseCode: 550 })
            : null,
        ),
    })
    const refused = await write({ recipient: 'nobody@example.test' })
    const fine = await write()
    await run(`smtp://${box.url}`)
    expect(await mail(refused)).toMatchObject({ state: 'failed', attempts: 1 })
    expect((await mail(refused)).error).toContain('no such user')
    expect((await mail(fine)).state).toBe('sent')
  })

  it('refused temporarily (greylisting) is retried, and does not hold up the next one', async () => {
    const box = await openMailbox({
      onRcptTo: ({ address }, _session, done) =>
        done(
          address.startsWith('later') ? Object.assign(new Error('come back'), { responseCode: 451 }) : null,
        ),
    })
    const later = await write({ recipient: 'later@example.test' })
    const fine = await write()
    await run(`smtp://${box.url}`)
    expect((await mail(later)).state).toBe('sending')
    expect((await mail(fine)).state).toBe('sent')
  })

  it.each([
    ['the sender address', 'onMailFrom', 553],
    ['a connection without a password', 'onRcptTo', 530],
  ] as const)(
    'is kept, with all other waiting mails, while the server refuses %s',
    async (_what, step, responseCode) => {
      const refuse = (_address: object, _session: object, done: (error: Error) => void) =>
        done(Object.assign(new Error('not you'), { responseCode }))
      const box = await openMailbox({ [step]: refuse })
      for (let i = 0; i < 3; i++) await write()
      await run(`smtp://${box.url}`)
      const rows = await bench.ctx.sql`select state, attempts from mails order by attempts`
      expect(rows).toEqual([
        { state: 'draft', attempts: 0 },
        { state: 'draft', attempts: 0 },
        { state: 'sending', attempts: 1 },
      ])
      await dueNow()
      const mended = await openMailbox()
      await run(`smtp://${mended.url}`)
      expect(mended.letters).toHaveLength(3)
    },
  )

  it('[RFC 5321 §4.5.3.2] is not given up, and so sent again, before a slow server has answered', async () => {
    const patience = vi.spyOn(Socket.prototype, 'setTimeout')
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const box = await openMailbox()
    await write()
    await run(`smtp://${box.url}`)
    const waits = patience.mock.contexts.flatMap((socket, n) => {
      const [ms = 0] = patience.mock.calls[n] ?? []
      return (socket as Socket).remotePort === Number(box.url.split(':')[1]) && ms > 0 ? [ms] : []
    })
    const phases = timers.mock.calls.map(([, ms = 0]) => ms)
    vi.restoreAllMocks()
    expect(Math.max(...waits)).toBe(600_000)
    // Connecting, and what is left of it for the greeting.
    expect(phases.filter((ms) => ms > 50_000 && ms <= 60_000)).toHaveLength(2)
  })

  it('that a slow server is still receiving is not sent by another worker as well', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const answers: (() => void)[] = []
    const box = await openMailbox({
      onData: (stream, _session, done) => {
        stream.resume().on('end', () => answers.push(() => done()))
      },
    })
    const id = await write()
    const first = run(`smtp://${box.url}`)
    await until('the server has it', () => answers.length === 1)
    // Almost a minute later.
    await bench.ctx.sql`update mails set due_at = now() + interval '1 second'`
    vi.advanceTimersByTime(20_000)
    await until('it is put off', async () => (await mail(id)).waitS > 30)
    for (const answer of answers) answer()
    await first
    vi.useRealTimers()
    expect(await mail(id)).toMatchObject({ state: 'sent', attempts: 1 })
  })

  it('that a server takes minutes for holds up no other one', async () => {
    let answer = () => {}
    const box = await openMailbox({
      onRcptTo: ({ address }, _session, done) => {
        if (address.startsWith('slow')) answer = () => done(null)
        else done(null)
      },
    })
    const slow = await write({ recipient: 'slow@example.test' })
    const fine = await write()
    const round = run(`smtp://${box.url}`)
    await until('the other one is sent', async () => (await mail(fine)).state === 'sent')
    // Written while the slow one is still being sent.
    const later = await write()
    await until('the next one is sent', async () => (await mail(later)).state === 'sent')
    expect((await mail(slow)).state).toBe('sending')
    answer()
    await round
    expect((await mail(slow)).state).toBe('sent')
  }, 120_000)

  it('that waited for a server is sent as soon as it is back, in order, so that no alarm is reported an hour after its recovery', async () => {
    for (const subject of ['Alarm 1', 'Alarm 2']) {
      await write({ subject })
      await bench.ctx.sql`update mails set attempts = 6, due_at = now() where state = 'draft'`
      await run('smtp://127.0.0.1:1')
    }
    const box = await openMailbox()
    await write({ subject: 'Recovery' })
    await run(`smtp://${box.url}`)
    expect(box.letters.map((letter) => /^Subject: (.*)\r$/m.exec(letter)?.[1])).toEqual([
      'Recovery',
      'Alarm 1',
      'Alarm 2',
    ])
  })

  it('at which the server ends the connection keeps its pauses, and holds up no round after the first', async () => {
    const box = await openMailbox()
    const [host = '', port = ''] = box.url.split(':')
    const scanner = createTcp((client) => {
      const server = connect(Number(port), host)
      const end = () => [client, server].forEach((socket) => void socket.destroy())
      for (const socket of [client, server]) socket.on('error', end).on('close', end)
      client.on('data', (sent) => (sent.includes('poison@') ? end() : server.write(sent)))
      server.on('data', (answer) => client.write(answer))
    })
    await new Promise<void>((done) => scanner.listen(0, '127.0.0.1', done))
    const url = `smtp://127.0.0.1:${(scanner.address() as { port: number }).port}`
    const poison = await write({ recipient: 'poison@example.test' })
    await run(url)
    for (let n = 0; n < 5; n++) {
      await write()
      await run(url)
    }
    scanner.close()
    expect(box.letters).toHaveLength(5)
    expect(await mail(poison)).toMatchObject({ state: 'sending', attempts: 2 })
  })

  it('of another customer does not wait until all of a flood are sent', async () => {
    const box = await openMailbox()
    const { a, b } = bench.tenants
    for (let n = 0; n < 5; n++) await write({ customerId: a.customerId, subject: `Flood ${n}` })
    await write({ customerId: b.customerId, subject: 'Other' })
    await run(`smtp://${box.url}`)
    const order = box.letters.map((letter) => /^Subject: (.*)\r$/m.exec(letter)?.[1])
    expect(order.filter((subject) => subject !== 'Other').join()).toBe(
      'Flood 0,Flood 1,Flood 2,Flood 3,Flood 4',
    )
    expect(order.indexOf('Other')).toBeLessThan(2)
  })

  it('fails after the last of its tries', async () => {
    const id = await write()
    await bench.ctx.sql`update mails set attempts = 27`
    await run('smtp://127.0.0.1:1')
    expect((await mail(id)).state).toBe('failed')
  })

  it('that a killed worker was sending is sent by the next one, a minute later, with the same Message-ID', async () => {
    const box = await openMailbox()
    const id = await write()
    // The state that `takeDue` leaves when the process dies before the server responds.
    await bench.ctx
      .sql`update mails set state = 'sending', attempts = 1, due_at = now() + interval '1 minute'`
    await run(`smtp://${box.url}`)
    expect(box.letters).toHaveLength(0)
    await dueNow()
    await run(`smtp://${box.url}`)
    expect((await mail(id)).state).toBe('sent')
    expect(box.letters[0]).toContain(`<mail-${id}@localhost>`)
  })

  it('two workers at once send each mail once', async () => {
    const box = await openMailbox()
    for (let i = 0; i < 6; i++) await write()
    await Promise.all([run(`smtp://${box.url}`), run(`smtp://${box.url}`)])
    expect(box.letters).toHaveLength(6)
  })

  it('accepts no line break in its headers', async () => {
    const box = await openMailbox()
    await write({ subject: 'Alarm\r\nBcc: thief@example.test\r\n\r\nbody' })
    await run(`smtp://${box.url}`)
    const head = box.letters[0]?.split('\r\n\r\n')[0] ?? ''
    expect(head).not.toMatch(/^bcc:/im)
    expect(head).toContain('Subject: Alarm Bcc: thief@example.test body')
  })

  it('cuts a long subject between two characters', async () => {
    const id = await write({ subject: `${'x'.repeat(199)}😀` })
    const [row] = await bench.ctx.sql`select subject from mails where id = ${id}`
    expect(row?.['subject']).toBe('x'.repeat(199))
  })

  it.each(['a@b.test\r\nBcc: c@d.test', 'a@b.test, c@d.test', 'Name <a@b.test>', 'nobody', ''])(
    'does not take %j for a recipient',
    async (recipient) => {
      await expect(write({ recipient })).rejects.toThrow('one plain address')
    },
  )
})

describe('TLS', () => {
  const selfSigned = async () => {
    const pem = await generate([{ name: 'commonName', value: 'mail' }])
    return { key: pem.private, cert: pem.cert }
  }

  it('a self-signed certificate is refused, and accepted when SMTP_URL says so', async () => {
    const box = await openMailbox({ secure: true, ...(await selfSigned()) })
    const id = await write()
    await run(`smtps://${box.url}`)
    expect((await mail(id)).error).toMatch(/self.signed/i)
    await dueNow()
    await run(`smtps://${box.url}?tls.rejectUnauthorized=false`)
    expect((await mail(id)).state).toBe('sent')
    expect(box.tls).toEqual([true])
  })

  it('STARTTLS is used if it is offered', async () => {
    const box = await openMailbox({ disabledCommands: [], ...(await selfSigned()) })
    const id = await write()
    await run(`smtp://${box.url}?tls.rejectUnauthorized=false`)
    expect((await mail(id)).state).toBe('sent')
    expect(box.tls).toEqual([true])
  })

  it('a server that waits for TLS without greeting is given up after a minute, with a hint; port 465 is TLS from the start', async () => {
    const mute = createTcp(() => undefined)
    await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done))
    const later = globalThis.setTimeout
    const timers = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((call: () => void, ms = 0, ...more: []) =>
        later(call, ms > 50_000 && ms <= 60_000 ? 300 : ms, ...more)) as typeof later)
    const id = await write()
    await run(`smtp://127.0.0.1:${(mute.address() as { port: number }).port}`)
    timers.mockRestore()
    mute.close()
    expect((await mail(id)).error).toContain('SMTP_URL must begin with smtps:')
    const encrypted = vi.spyOn(tls, 'connect')
    await dueNow()
    await run('smtp://127.0.0.1:465')
    expect(encrypted.mock.calls.map(([options]) => options)).toContainEqual(
      expect.objectContaining({ port: 465 }),
    )
    encrypted.mockRestore()
  })

  it('no password is sent unencrypted to another host', async () => {
    const box = await openMailbox()
    const id = await write()
    // 127.0.0.2 is this machine too, but not its usual address.
    await run(`smtp://user:secret@127.0.0.2:${box.url.split(':')[1]}`)
    expect((await mail(id)).state).toBe('sending')
    expect(box.letters).toHaveLength(0)
  })
})

describe('without SMTP_URL', () => {
  it('mail is kept in the outbox, is not shown as sent, and is not sent automatically later', async () => {
    const id = await write()
    await run(undefined)
    expect(await mail(id)).toMatchObject({ state: 'draft', kept: true, attempts: 0 })
    const box = await openMailbox()
    await run(`smtp://${box.url}`)
    expect(box.letters).toHaveLength(0)
  })

  it('in production it fails with the reason', async () => {
    const id = await write()
    await run(undefined, { NODE_ENV: 'production' })
    expect(await mail(id)).toMatchObject({ state: 'failed', error: 'SMTP_URL is not set' })
  })
})
