import type { Locator, Page } from '@playwright/test'

/** Makes a link to the big screen of a project, by hand. `made` is the dialog that shows its address once. */
export async function makeKioskLink(
  page: Page,
  project: string,
): Promise<{ made: Locator; address: string }> {
  await page.goto('/cloudMonitor/deviceManagement/kioskLinks')
  await page.getByRole('button', { name: 'Add link' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add link' })
  await form.getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option', { name: project }).click()
  await form.getByRole('textbox', { name: 'Name' }).fill('Entrance')
  await form.getByRole('button', { name: 'Add link' }).click()
  const made = page.getByRole('dialog', { name: 'Link created' })
  const address = await made
    .getByText(/#kiosk_/)
    .last()
    .innerText()
  return { made, address }
}
