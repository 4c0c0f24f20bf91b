import { Checkbox, MultiSelect, Stack, Text } from '@mantine/core'
import { addConfigTemplate } from '#schema/config/config-template'
import { useOwnGroupOptions } from '../device/device-options.ts'
import { declaredProps } from '../kit/form/forms.ts'
import { WholeField } from '../kit/form/whole-field.tsx'
import { t } from '../kit/i18n.ts'
import { WizardPick } from '../task/upgrade-wizard-pick.tsx'
import type { Settings } from './template-sides.ts'

type Where = Pick<Settings, 'everywhere' | 'groupIds' | 'devices' | 'place'>
type Props = {
  value: Where
  change: (part: Partial<Where>) => void
  /** The customer whose groups are offered. */
  owner: number | undefined
}

/** Where a template holds, and after which others. */
export function TemplateWhere({ value: { everywhere, groupIds, devices, place }, change, owner }: Props) {
  const groups = useOwnGroupOptions(owner)
  return (
    <Stack>
      <Checkbox
        label={t('config-template:field.everywhere')}
        checked={everywhere}
        onChange={(event) => change({ everywhere: event.currentTarget.checked })}
      />
      <MultiSelect
        label={t('config-template:field.groupIds')}
        data={[...groups]}
        value={groupIds.map(String)}
        searchable
        clearable
        onChange={(next) => change({ groupIds: next.map(Number) })}
      />
      <WholeField
        {...declaredProps(addConfigTemplate, 'place')}
        description={t('config-template:hint.place')}
        clampBehavior="strict"
        value={place}
        onChange={(next) => change({ place: next })}
      />
      <Text size="sm" fw={600}>
        {t('config-template:pickDevices')}
      </Text>
      <WizardPick
        picked={[...devices]}
        model={undefined}
        onChange={(next) => change({ devices: next.map((one) => ({ id: one.id, sn: one.sn ?? '' })) })}
      />
    </Stack>
  )
}
