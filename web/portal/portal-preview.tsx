/** The page of a captive portal as a device renders it [docs/protocol.md: Captive portal], in the size of a phone. */
import { SegmentedControl, Text, useComputedColorScheme } from '@mantine/core'
import { useState } from 'react'
import { t } from '../kit/i18n.ts'
import classes from './portal.module.css'

type Props = { imageUrl: string; caption: string; link: string }

export function PortalPreview({ imageUrl, caption, link }: Props) {
  const [scheme, setScheme] = useState<string>(useComputedColorScheme('light'))
  return (
    <div className={classes['preview']}>
      <Text fw={600} size="sm">
        {t('advertisement:preview.title')}
      </Text>
      <SegmentedControl
        size="xs"
        value={scheme}
        onChange={setScheme}
        aria-label={t('advertisement:preview.title')}
        data={[
          { value: 'light', label: t('advertisement:preview.light') },
          { value: 'dark', label: t('advertisement:preview.dark') },
        ]}
      />
      <div className={classes['phone']} data-scheme={scheme}>
        {imageUrl === '' ? (
          <Text size="sm" className={classes['none'] ?? ''}>
            {t('advertisement:preview.none')}
          </Text>
        ) : (
          <img src={imageUrl} alt={caption} />
        )}
        {caption === '' ? null : <p className={classes['caption']}>{caption}</p>}
      </div>
      {/* Not a link to be followed: it may be half typed. */}
      <Text size="xs" c="dimmed" className={classes['target'] ?? ''}>
        {link}
      </Text>
    </div>
  )
}
