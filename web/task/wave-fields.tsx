import { ActionIcon, Button, Group, NativeSelect, Select, Stack, Switch, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { WAVES_MAX } from '#schema/task/task-rollout'
import { WAVE_PERCENT_MAX, type WaveRule, waveSizes } from '#schema/task/task-wave'
import { addLevelUp } from '#schema/task/upgrade'
import { useGroupOptions } from '../device/device-options.ts'
import { declaredProps } from '../kit/form/forms.ts'
import { WholeField } from '../kit/form/whole-field.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { RolloutChoice } from './rollout-choice.ts'
import classes from './task.module.css'

type Props = {
  value: RolloutChoice
  change: (part: Partial<RolloutChoice>) => void
  errors?: Readonly<Record<string, string>>
}

const CANARY: WaveRule[] = [
  { by: 'percent', value: 5 },
  { by: 'percent', value: 20 },
]
const FIRST = { percent: 10, count: 10 } as const
const COUNT_MAX = 100_000

type RuleProps = { rule: WaveRule; nth: number; change: (rule: WaveRule) => void; remove: () => void }

function Rule({ rule, nth, change, remove }: RuleProps) {
  const groups = useGroupOptions()
  const label = t('rollout:wave.nth', { n: number(nth + 1) })
  const [first] = groups
  return (
    <Group gap={8} wrap="nowrap" align="flex-end">
      <NativeSelect
        label={label}
        value={rule.by}
        data={waveSizes
          .filter((by) => by !== 'group' || first)
          .map((by) => ({ value: by, label: t(`rollout:plan.by.${by}`) }))}
        onChange={(event) => {
          const by = waveSizes.find((size) => size === event.currentTarget.value) ?? 'percent'
          change({ by, value: by === 'group' ? Number(first?.value) : FIRST[by] })
        }}
      />
      {rule.by === 'group' ? (
        <Select
          flex={1}
          miw={0}
          aria-label={`${label}: ${t('rollout:plan.by.group')}`}
          data={[...groups]}
          value={String(rule.value)}
          allowDeselect={false}
          searchable
          onChange={(next) => next && change({ ...rule, value: Number(next) })}
        />
      ) : (
        <WholeField
          flex={1}
          miw={0}
          aria-label={`${label}: ${t(`rollout:plan.by.${rule.by}`)}`}
          suffix={rule.by === 'percent' ? ' %' : ''}
          min={1}
          max={rule.by === 'percent' ? WAVE_PERCENT_MAX : COUNT_MAX}
          clampBehavior="strict"
          value={rule.value}
          onChange={(next) => change({ ...rule, value: next })}
        />
      )}
      <ActionIcon
        variant="subtle"
        aria-label={t('rollout:plan.removeWave', { wave: label })}
        onClick={remove}
        mb={4}
      >
        <IconTrash size={16} stroke={1.5} />
      </ActionIcon>
    </Group>
  )
}

/** The waves in order: shares, numbers or groups; what they leave over is the last one. */
export function WaveFields({ value, change, errors = {} }: Props) {
  const { waves } = value
  return (
    <Stack gap={8}>
      <Switch
        label={t('rollout:plan.canary')}
        checked={waves.length > 0}
        onChange={(event) => change({ waves: event.currentTarget.checked ? CANARY : [] })}
      />
      {waves.length > 0 ? (
        <>
          {waves.map((rule, nth) => (
            <Rule
              // biome-ignore lint/suspicious/noArrayIndexKey: a wave is its place
              key={nth}
              rule={rule}
              nth={nth}
              change={(next) => change({ waves: waves.map((one, i) => (i === nth ? next : one)) })}
              remove={() => change({ waves: waves.filter((_, i) => i !== nth) })}
            />
          ))}
          {errors['waves'] ? (
            <Text size="sm" c="var(--critical)">
              {errors['waves']}
            </Text>
          ) : null}
          <Group gap={8} justify="space-between">
            <Text size="sm" c="dimmed">
              {t('rollout:plan.rest')}
            </Text>
            {waves.length < WAVES_MAX ? (
              <Button
                size="compact-md"
                variant="default"
                leftSection={<IconPlus size={16} stroke={1.5} />}
                onClick={() => change({ waves: [...waves, { by: 'percent', value: FIRST.percent }] })}
              >
                {t('rollout:plan.addWave')}
              </Button>
            ) : null}
          </Group>
          <div className={classes['twoColumns']}>
            <WholeField
              {...declaredProps(addLevelUp, 'waveSuccessPercent')}
              clampBehavior="strict"
              value={value.waveSuccessPercent}
              onChange={(waveSuccessPercent) => change({ waveSuccessPercent })}
              error={errors['waveSuccessPercent']}
            />
          </div>
        </>
      ) : null}
    </Stack>
  )
}
