/** A real SMTP server for tests, on a free port; stores what it receives. */
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterFile } from './after-file.ts'

export type Mailbox = { url: string; letters: string[]; tls: boolean[]; close(): Promise<void> }

/** `url` is host and port. Closes automatically after the file's tests. */
export async function openMailbox(options: SMTPServerOptions = {}): Promise<Mailbox> {
  const letters: string[] = []
  const tls: boolean[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8')
      })
      stream.on('end', () => {
        letters.push(text)
        tls.push(session.secure)
        done()
      })
    },
    ...options,
  })
  // A client that disconnects because of a certificate is part of one of the tests.
  server.on('error', () => undefined)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.server.address() as { port: number }
  const box = {
    url: `127.0.0.1:${port}`,
    letters,
    tls,
    close: () => new Promise<void>((done) => server.close(done)),
  }
  afterFile(box.close)
  return box
}
