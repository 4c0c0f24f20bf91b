/** The picture of a widget, and the positions of the values on it: by click, or by numbers. */
import { Group, NumberInput, Radio, Stack, Text } from '@mantine/core'
import { type MouseEvent, useState } from 'react'
import { IMAGE_PATH } from '#schema/people/image'
import { t } from '../kit/i18n.ts'
import { pictureField } from '../people/picture-field.tsx'
import classes from './panel.module.css'
import type { Variable, Widget } from './panel-draft.ts'
import { keyOf, type Values } from './panel-values.ts'

const PictureField = pictureField('panel')
const MIDDLE = 50
const percent = (part: number, whole: number) =>
  Math.round(Math.max(0, Math.min(100, (100 * part) / Math.max(1, whole))) * 10) / 10

type Props = { widget: Widget; values: Values; onChange: (more: Partial<Widget>, mark: string) => void }

export function PanelPlaces({ widget, values, onChange }: Props) {
  const { variables, imageId, key } = widget
  const [chosen, setChosen] = useState<string | null>(null)
  const at = chosen ?? (variables[0] ? keyOf(variables[0]) : null)
  const put = (of: string, to: Pick<Variable, 'left' | 'top'>) =>
    onChange(
      { variables: variables.map((one) => (keyOf(one) === of ? { ...one, ...to } : one)) },
      `places ${key} ${of}`,
    )
  const click = (event: MouseEvent) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    if (at) put(at, { left: percent(event.clientX - left, width), top: percent(event.clientY - top, height) })
  }
  return (
    <Stack gap="xs">
      <PictureField
        name="imageId"
        label={t('panel:field.picture')}
        hint={undefined}
        values={{}}
        required={false}
        error={null}
        value={imageId ?? ''}
        set={(id) => onChange({ imageId: id === '' ? undefined : String(id) }, `picture ${key}`)}
      />
      {imageId && variables.length > 0 ? (
        <>
          <Text size="sm" fw={600}>
            {t('panel:place.title')}
          </Text>
          <Text size="xs" c="dimmed">
            {t('panel:place.hint')}
          </Text>
          <div className={classes['places']}>
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard there are the fields below */}
            <img src={`${IMAGE_PATH}${imageId}`} alt={widget.title} onClick={click} />
            {variables.map((one) => (
              <i
                key={keyOf(one)}
                data-chosen={keyOf(one) === at || undefined}
                style={{ left: `${one.left ?? MIDDLE}%`, top: `${one.top ?? MIDDLE}%` }}
              />
            ))}
          </div>
          {variables.map((one) => (
            <Group key={keyOf(one)} gap={8} wrap="nowrap">
              <Radio
                size="xs"
                flex={1}
                label={values.of(one)?.name ?? t(values.of(one) === null ? 'panel:gone' : 'kit:loading')}
                checked={keyOf(one) === at}
                onChange={() => setChosen(keyOf(one))}
              />
              {(['left', 'top'] as const).map((name) => (
                <NumberInput
                  key={name}
                  w={84}
                  size="xs"
                  min={0}
                  max={100}
                  aria-label={t(`panel:field.${name}`)}
                  leftSection={<Text size="xs">{name === 'left' ? 'X' : 'Y'}</Text>}
                  value={one[name] ?? MIDDLE}
                  onChange={(value) => {
                    const share = Number(value)
                    if (value !== '' && share >= 0 && share <= 100) put(keyOf(one), { [name]: share })
                  }}
                />
              ))}
            </Group>
          ))}
        </>
      ) : null}
    </Stack>
  )
}
