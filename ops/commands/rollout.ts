/** `ops rollout create`: a task of any kind from a file, with all options of a rollout. */
import { parse } from 'yaml'
import { z } from 'zod'
import { applyMany } from '#schema/config/config-many'
import type { BodyOf } from '#schema/kit/call'
import { addTask } from '#schema/task/add-task'
import { addConfig } from '#schema/task/config-task'
import { waveRules } from '#schema/task/task-wave'
import { addLevelUp } from '#schema/task/upgrade'
import { cliCommand, formatOf } from '../cli-command.ts'
import { ask } from '../client.ts'
import { refuseMasks } from '../config-change.ts'
import { templateId } from '../config-templates.ts'
import { usage } from '../exit.ts'
import { warnOf } from '../finish-config.ts'
import { note, printOne } from '../print.ts'
import { oneDevice, target } from '../target.ts'
import { readText, wholeNumber } from '../values.ts'
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

/** What is sent: exactly one of them. */
const contents = ['package', 'kind', 'configFile', 'values', 'template'] as const

/** The keys of its own; all others are the fields of the call, which the platform checks. */
const rolloutFile = z.looseObject({
  package: z.int().optional(),
  kind: z.string().optional(),
  configFile: z.int().optional(),
  values: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  from: z.string().optional(),
  template: z.union([z.string(), z.int()]).optional(),
  devices: z.array(z.string()).optional(),
  group: z.union([z.string(), z.int()]).optional(),
  all: z.literal(true).optional(),
  waves: z.array(wave).optional(),
})
type RolloutFile = z.output<typeof rolloutFile>

/** @throws Exit 2 for a file that cannot be read, or is none */
function readRollout(path: string) {
  const text = readText(path)
  let found: unknown
  try {
    found = parse(text)
  } catch (error) {
    return usage(`${path}: ${(error as Error).message}`)
  }
  const read = rolloutFile.safeParse(found)
  if (read.success) return read.data
  const [issue] = read.error.issues
  return usage(`${path}: ${issue?.path.join('.') || 'file'}: ${issue?.message}`)
}

/** The devices that a template reaches need not be named again. */
async function selectionOf({ devices, group, all, template }: RolloutFile) {
  const named = { devices, group, all }
  const isNamed = Object.values(named).some((one) => one !== undefined)
  const selection = await target({
    ...(devices ? { devices: devices.join(',') } : {}),
    ...(group === undefined ? {} : { group: String(group) }),
    ...(all || (template !== undefined && !isNamed) ? { all: true as const } : {}),
  })
  if (template === undefined || 'dids' in selection) return selection
  return { filter: { ...selection.filter, templateId: await templateId(String(template)) } }
}

type Made = { taskId: number; devices: number }

/** By the call of what is sent. @throws Exit 2 for values with masks of an unknown device */
async function send(path: string, file: RolloutFile): Promise<Made> {
  const selection = await selectionOf(file)
  const {
    package: spId,
    kind,
    configFile,
    values,
    from,
    template,
    devices: _,
    group: __,
    all: ___,
    ...fields
  } = file
  const body = { ...fields, ...selection }
  if (spId !== undefined) return ask(addLevelUp, { ...body, spId } as BodyOf<typeof addLevelUp>)
  if (configFile !== undefined)
    return ask(addConfig, { ...body, spId: configFile } as BodyOf<typeof addConfig>)
  if (kind !== undefined) return ask(addTask, { ...body, kind } as BodyOf<typeof addTask>)
  const fromId = from === undefined ? undefined : await oneDevice(from)
  if (values !== undefined && fromId === undefined) refuseMasks(path, values)
  const change =
    values === undefined
      ? { by: 'templates' as const }
      : { pages: values, ...(fromId === undefined ? {} : { fromId }) }
  await warnOf({ ...selection, ...change })
  return ask(applyMany, { ...body, ...change } as BodyOf<typeof applyMany>)
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
      const file = readRollout(options.file)
      if (contents.filter((one) => file[one] !== undefined).length !== 1)
        return usage(`${options.file}: name exactly one of ${contents.join(', ')}`)
      const made = await send(options.file, file)
      const format = formatOf(command)
      note(`task ${made.taskId}: ${made.devices} devices`)
      if (options.wait) await watchTask(format, made.taskId, options.timeout)
      else printOne(format, { taskId: made.taskId, devices: made.devices })
    })
})
