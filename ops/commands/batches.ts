import { cancelCommandBatch, getCommandBatchList, resumeCommandBatch } from '#schema/task/command-batch'
import { ask } from '../client.ts'
import { print, printOne } from '../print.ts'
import { WATCH_S } from '../reboot.ts'
import { wholeNumber } from '../values.ts'
import { watchBatch } from '../watch-batch.ts'
import { formatOf, word } from '../word.ts'

export const batches = word((program) => {
  const group = program
    .command('batches')
    .description('list, watch, cancel and resume commands to many devices')
  group
    .command('list')
    .description('newest first')
    .option('--limit <rows>', 'at most so many', wholeNumber, 50)
    .action(async (options: { limit: number }, command) => {
      const found = await ask(getCommandBatchList, options)
      const rows = found.list.map(({ counts, stopped, ...batch }) => ({
        ...batch,
        ...counts,
        stopped: stopped?.reason ?? '',
      }))
      print(formatOf(command), found, rows, [
        'batchId',
        'name',
        'createdAt',
        'createdBy',
        'total',
        'done',
        'failed',
        'timedOut',
        'expired',
        'cancelled',
        'stopped',
      ])
    })
  group
    .command('watch')
    .description('watch it to its end')
    .argument('<batch>')
    .option('--timeout <seconds>', 'give up watching (it goes on)', wholeNumber, WATCH_S)
    .action((batchId: string, options: { timeout: number }, command) =>
      watchBatch(formatOf(command), batchId, options.timeout),
    )
  group
    .command('cancel')
    .description('what was not sent yet is not sent')
    .argument('<batch>')
    .action(async (batchId: string, _options, command) => {
      printOne(formatOf(command), await ask(cancelCommandBatch, { batchId }))
    })
  group
    .command('resume')
    .description('let a batch that stopped itself go on; failures count anew')
    .argument('<batch>')
    .action(async (batchId: string, _options, command) => {
      printOne(formatOf(command), await ask(resumeCommandBatch, { batchId }))
    })
})
