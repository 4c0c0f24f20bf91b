import { ActionIcon, Group, NativeSelect, useMantineColorScheme } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { languages } from '#schema/kit/refusal'
import { t } from '../kit/i18n.ts'
import { languageNames } from '../kit/page/language-names.ts'
import { schemes } from '../kit/page/schemes.ts'
import { chooseLanguage, language } from '../kit/session.ts'

/**
 * Language and colour scheme before the login, without loading a menu component. Choosing a language reloads the page;
 * `onReload` may keep something for afterwards.
 */
export function LoginCorner({ onReload }: { onReload?: () => void }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const at = schemes.findIndex(({ scheme }) => scheme === colorScheme)
  const { Icon, label } = schemes[at] ?? schemes[2]
  const next = schemes[(at + 1) % schemes.length] ?? schemes[0]
  return (
    <Group justify="flex-end" gap={8}>
      <ActionIcon
        variant="subtle"
        color="gray"
        title={t(label)}
        aria-label={`${t('kit:theme.label')}: ${t(label)}`}
        onClick={() => setColorScheme(next.scheme)}
      >
        <Icon size={18} stroke={1.5} />
      </ActionIcon>
      <NativeSelect
        w={156}
        aria-label={t('kit:language')}
        leftSection={<IconLanguage size={18} stroke={1.5} />}
        value={language()}
        onChange={({ currentTarget }) => {
          const chosen = languages.find((one) => one === currentTarget.value)
          if (!chosen) return
          onReload?.()
          chooseLanguage(chosen)
        }}
        data={languages.map((value) => ({ value, label: languageNames[value] }))}
      />
    </Group>
  )
}
