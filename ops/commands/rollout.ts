/** `ops rollout create`: a task of any kind from a file, with everything that a rollout can be told. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import type { BodyOf } from '#schema/kit/call'
import { addTask } from '#schema/task/add-task'
import { waveRules } from '#schema/task/task-wave'
import { addLevelUp } from '#schema/task/upgrade'
import { cliCommand, formatOf } from '../cli-command.ts'
import { ask } from '../client.ts'
import { usage } from '../exit.ts'
import { note, printOne } from '../print.ts'
import { target } from '../target.ts'
import { wholeNumber } from '../values.ts'
import { watchTask } from '../watch.ts'

/** `10%`, `50`, or as the call has it (`{ by: group, value: 7 }`). */
const wave = z.union([
  z
    .string()
    .regex(/^\d+%$/)
    .transform((text) => ({ by: 'percent' as const, value: Number.parseInt(text, 10) })),
  z
    .int()
    .min(1)
    .transform((value) => ({ by: 'count' as const, value })),
  waveRules,
])

/** The keys of its own; all others are the fields of the call, which the platform checks. */
const rolloutFile = z.looseObject({
  package: z.int().optional(),
  kind: z.string().optional(),
  devices: z.array(z.string()).optional(),
  group: z.union([z.string(), z.int()]).optional(),
  all: z.literal(true).optional(),
  waves: z.array(wave).optional(),
})

/** @throws Exit 2 for a file that cannot be read, or is none */
function readRollout(path: string) {
  let found: unknown
  try {
    found = parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return usage(`${path}: ${(error as Error).message}`)
  }
  const read = rolloutFile.safeParse(found)
  if (read.success) return read.data
  const [issue] = read.error.issues
  return usage(`${path}: ${issue?.path.join('.') || 'file'}: ${issue?.message}`)
}

export const rollout = cliCommand((program) => {
  program
    .command('rollout')
    .description('tasks in waves, within hours, with approval')
    .command('create')
    .description('create the task of a file (docs/operations.md)')
    .requiredOption('-f, --file <path>', 'YAML or JSON')
    .option('--wait', 'watch the task to its end')
    .option('--timeout <seconds>', 'with --wait: give up watching (the task goes on)', wholeNumber, 86_400)
    .action(async (options: { file: string; wait?: true; timeout: number }, command) => {
      const { package: spId, kind, devices, group, all, ...fields } = readRollout(options.file)
      if ((spId === undefined) === (kind === undefined))
        return usage(`${options.file}: name either a package or a kind`)
      const selection = await target({
        ...(devices ? { devices: devices.join(',') } : {}),
        ...(group === undefined ? {} : { group: String(group) }),
        ...(all ? { all } : {}),
      })
      const body = { ...fields, ...selection }
      const made =
        spId === undefined
          ? await ask(addTask, { ...body, kind } as BodyOf<typeof addTask>)
          : await ask(addLevelUp, { ...body, spId } as BodyOf<typeof addLevelUp>)
      const format = formatOf(command)
      note(`task ${made.taskId}: ${made.devices} devices`)
      if (options.wait) await watchTask(format, made.taskId, options.timeout)
      else printOne(format, { taskId: made.taskId, devices: made.devices })
    })
})
