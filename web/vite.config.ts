import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { declaredScreens } from './declared-screens.ts'
import { declaredModules, declaredValues } from './declared-values.ts'
import { forFirstVisits } from './first-visit.ts'

/** `npm run dev`: all requests except the console's own files go to the API. */
const api = process.env['API_URL'] ?? `http://127.0.0.1:${process.env['HTTP_PORT'] ?? '8080'}`

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [declaredScreens(), declaredModules(), declaredValues(), react(), forFirstVisits()],
  build: {
    outDir: fileURLToPath(new URL('./dist', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy forbids data: fonts and scripts; small images stay files too.
    assetsInlineLimit: 0,
    // Browsers that know es2022 modules know modulepreload.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // One file for each step of loading a list: thirty small ones would cost thirty round trips on a slow
        // connection.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 4 },
            {
              name: 'shell',
              test: /\/web\/shell\/(routes|page-host)\.tsx$/,
              priority: 3,
            },
            // What many pages use, as one file: a page of sixty small ones takes longer to ask for than to load.
            {
              name: 'shared',
              test: /\/web\/(kit\/((?:light\/)?[\w-]+|form\/form-model)|alarm\/alarm-(chips|mark)|device\/device-(options|state))\.tsx?$|\/schema\//,
              minShareCount: 4,
              priority: 2.5,
            },
            { name: 'icons', test: /\/esm\/icons\//, minShareCount: 2, priority: 2.2 },
            { name: 'forms', test: /\/web\/kit\/form\/forms\.ts$/, priority: 2.1 },
            // Dialogs are not part of the lists' chunk, nor of the forms'.
            {
              name: 'overlay',
              test: /\/@mantine\/core\/esm\/components\/(Modal|Drawer|Textarea)\//,
              priority: 1.8,
            },
            { name: 'list', test: /\/web\/kit\/list\/list-view\.tsx$/, priority: 2 },
            // The small parts of a device's page, which lists and other pages have some of.
            {
              name: 'device',
              test: /\/web\/(device\/(device\.module|device-(dialogs|reads|status)|chosen-devices|sim-state)|command\/(commands|command-banner|command-button))\.|virtual:commands|\/components\/(Progress|SimpleGrid)\//,
              minShareCount: 2,
              priority: 1.9,
            },
            // By itself: pages without charts have it too.
            {
              name: 'segmented',
              test: /\/@mantine\/core\/esm\/components\/SegmentedControl\//,
              minShareCount: 2,
              priority: 1.75,
            },
            {
              name: 'charts',
              test: /\/web\/(kit\/chart\/(chart|ink|spark-line)|report\/(range-picker|report\.module)|history\/device-range)\./,
              minShareCount: 2,
              priority: 1.7,
            },
            {
              name: 'form',
              test: /\/@mantine\/(form|core\/esm\/components\/(NumberInput|MultiSelect|TagsInput|PillsInput|Pill|Switch)\/)|\/web\/kit\/form\/form-(drawer|fields|bar|errors)\.tsx?$/,
              minShareCount: 2,
              priority: 1.5,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': api, '/files': api, '/images': api, '/mqtt': { target: api, ws: true } },
  },
})
