import { mount } from "svelte";
import App from "./App.svelte";
import { speak } from "./i18n/index.svelte";
import { remember, settings } from "./settings.svelte";
import "./style.css";

remember();
void speak(settings.lang).then(() => mount(App, { target: document.getElementById("app") as HTMLElement }));
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("sw.js").catch(() => undefined);
