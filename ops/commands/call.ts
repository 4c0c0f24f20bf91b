import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { gatherDeclared } from '#infra/gather'
import { type Call, isCall } from '#schema/kit/call'
import { cliCommand, formatOf } from '../cli-command.ts'
import { ask, dataOf, send, unreachable } from '../client.ts'
import { usage } from '../exit.ts'
import { print } from '../print.ts'
import { upload } from '../upload.ts'
import { readText } from '../values.ts'

function parseBody(text: string): Record<string, unknown> {
  const source = text.startsWith('@') ? readText(text.slice(1)) : text
  try {
    const body: unknown = JSON.parse(source)
    if (typeof body === 'object' && body !== null && !Array.isArray(body))
      return body as Record<string, unknown>
  } catch (error) {
    return usage(`--body is no JSON: ${(error as Error).message}`)
  }
  return usage('--body is no JSON object')
}

/** A pipeline would destroy standard output when the other end closes. */
async function toStdout(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const part of body) if (!process.stdout.write(part)) await once(process.stdout, 'drain')
}

/** @throws Exit 2 if the file cannot be written, 3 if the response breaks off: no partial file is left behind. */
async function download(call: Call, body: unknown, file: string | undefined): Promise<void> {
  const response = await send(call, body)
  // Of any other status it is the page of a proxy.
  const isFile = response.ok && !response.headers.get('content-type')?.startsWith('application/json')
  if (!response.body || !isFile) {
    dataOf(await response.text().catch(unreachable), response.status)
    return
  }
  if (!file) return toStdout(response.body).catch(unreachable)
  try {
    await pipeline(response.body, createWriteStream(file))
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall !== 'open') rmSync(file, { force: true })
    if (syscall === 'open' || syscall === 'write') usage(`${file} cannot be written (${code})`)
    unreachable(error)
  }
}

type Options = { body: string; list?: true; file?: string; save?: string }

export const call = cliCommand((program) => {
  program
    .command('call')
    .description('any declared call')
    .argument('[name]', 'e.g. device/getDeviceList')
    .option('--body <json>', 'JSON, @file or @- for standard input', '{}')
    .option('--file <file>', 'the file of an upload call')
    .option('--save <file>', 'where the file of a download call goes; default: standard output')
    .option('--list', 'every call with its permission and what it is for')
    .action(async (name: string | undefined, options: Options, command) => {
      const calls = (await gatherDeclared(isCall)).sort((a, b) => a.name.localeCompare(b.name))
      if (options.list) {
        const rows = calls.map(({ method, permission, summary, ...one }) => ({
          name: one.name,
          method,
          permission,
          summary,
        }))
        return print(formatOf(command), rows, rows)
      }
      const found = calls.find((one) => one.name === name?.replace(/^\/?(api\/)?/, ''))
      if (!found)
        return usage(name ? `no call ${name}: see ops call --list` : 'name a call, or ask for --list')
      const body = parseBody(options.body)
      if (found.carrier === 'download' || found.carrier === 'events')
        return download(found, body, options.save)
      const data =
        found.carrier === 'upload'
          ? await upload(found, body, options.file ?? usage('an upload call needs --file'))
          : await ask(found, body)
      print('json', data, [])
    })
})
