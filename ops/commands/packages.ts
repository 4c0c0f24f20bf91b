import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReplyOf } from '#schema/kit/call'
import { getPackageList, packageTypes, uploadPackage, visibilities } from '#schema/task/package'
import { signedText } from '#schema/task/signed-package'
import { cliCommand, formatOf } from '../cli-command.ts'
import { ask } from '../client.ts'
import { note, print, printOne } from '../print.ts'
import { upload } from '../upload.ts'
import { oneOf, readBytes, readText, wholeNumber } from '../values.ts'

type Row = ReplyOf<typeof uploadPackage>
type Upload = {
  model: string
  version: string
  type: (typeof packageTypes)[number]
  name?: string
  visibility?: (typeof visibilities)[number]
  customer?: number
  remark?: string
  signature?: string
  wait: boolean
}

const SYNC_WAIT_MS = 15_000

/** A task needs a package that the file servers serve, usually a second after the upload. */
async function waitForSync(made: Row): Promise<Row> {
  let row = made
  for (const until = Date.now() + SYNC_WAIT_MS; !row.syncedAt && !row.syncError && Date.now() < until; ) {
    await sleep(500)
    const { list } = await ask(getPackageList, { search: row.version, model: row.model, limit: 1000 })
    row = list.find((one) => one.spId === row.spId) ?? row
  }
  if (!row.syncedAt) note(`not synced to the file server yet${row.syncError ? `: ${row.syncError}` : ''}`)
  return row
}

const nameOf = ({ name, model, version }: Pick<Upload, 'name' | 'model' | 'version'>) =>
  name ?? `${model} ${version}`.slice(0, 64)

const shown = [
  'spId',
  'name',
  'version',
  'model',
  'type',
  'spFileSize',
  'visibility',
  'syncedAt',
  'uploadedAt',
]

export const packages = cliCommand((program) => {
  const group = program.command('packages').description('list and upload software packages')
  group
    .command('list')
    .description('packages, newest first')
    .option('--search <text>', 'part of name, version or model')
    .option('--type <type>', packageTypes.join(', '), oneOf(packageTypes))
    .option('--model <model>')
    .option('--limit <rows>', 'at most so many', wholeNumber, 100)
    .action(async (options, command) => {
      const found = await ask(getPackageList, options)
      print(formatOf(command), found, found.list, shown)
    })
  group
    .command('manifest')
    .description('print the text to sign: openssl pkeyutl -sign -rawin, or usign -S')
    .argument('<file>')
    .requiredOption('--model <model>')
    .requiredOption('--version <version>')
    .option('--type <type>', packageTypes.join(', '), oneOf(packageTypes), 'upgrade')
    .option('--name <name>', 'default: model and version')
    .action((file: string, options: Pick<Upload, 'model' | 'version' | 'type' | 'name'>) => {
      const content = readBytes(file)
      const sha256 = createHash('sha256').update(content).digest('hex')
      const { model, version, type } = options
      process.stdout.write(
        signedText({ sha256, sizeBytes: content.length, type, model, version, name: nameOf(options) }),
      )
    })
  group
    .command('upload')
    .description('upload a .tar.gz')
    .argument('<file>')
    .requiredOption('--model <model>')
    .requiredOption('--version <version>')
    .option('--type <type>', packageTypes.join(', '), oneOf(packageTypes), 'upgrade')
    .option('--name <name>', 'default: model and version')
    .option('--visibility <who>', visibilities.join(', '), oneOf(visibilities))
    .option('--customer <id>', 'the designated customer', wholeNumber)
    .option('--remark <text>')
    .option('--signature <file>', 'of its manifest, as openssl (base64) or usign wrote it')
    .option('--no-wait', 'do not wait until the file server has it')
    .action(async (file: string, options: Upload, command) => {
      const { model, version, type, visibility, remark, signature } = options
      const made = await upload(
        uploadPackage,
        {
          fileName: basename(file),
          name: nameOf(options),
          model,
          version,
          type,
          visibility,
          remark,
          customerId: options.customer,
          ...(signature ? { signature: readText(signature) } : {}),
        },
        file,
      )
      printOne(formatOf(command), options.wait ? await waitForSync(made) : made)
    })
})
