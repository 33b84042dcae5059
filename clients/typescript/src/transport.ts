// Requests of the client: address, key, forms, errors. Uses fetch alone, so it runs in browsers, node, deno and workers.

export interface FettleOptions {
  /** Address of the service, as `https://fettle.example`. */
  baseUrl: string;
  /** A key, from the dashboard. */
  apiKey: string;
  /** What sends requests; the platform's own by default. */
  fetch?: typeof fetch;
}

type Form = Record<string, unknown>;
type Query = Record<string, unknown>;

interface Request {
  body?: unknown;
  form?: Form;
  query?: Query;
  idempotencyKey?: string | undefined;
}

/** An answer that is no success: `code` is the word for programs, `message` the sentence for people. */
export class FettleError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string | undefined,
    readonly requestId: string | null,
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
    this.name = "FettleError";
  }
}

export class Transport {
  readonly #base: string;
  readonly #key: string;
  readonly #fetch: typeof fetch;

  constructor(options: FettleOptions) {
    this.#base = options.baseUrl.replace(/\/+$/, "") + "/api/v1";
    this.#key = options.apiKey;
    this.#fetch = options.fetch ?? fetch;
  }

  protected async call<T>(method: string, path: string, request: Request): Promise<T> {
    const url = new URL(this.#base + path);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { "X-API-Key": this.#key };
    if (request.idempotencyKey !== undefined) headers["Idempotency-Key"] = request.idempotencyKey;
    const init: RequestInit = { method, headers };
    if (request.form !== undefined) {
      init.body = formData(request.form);
    } else if (request.body !== undefined) {
      headers["Content-Type"] = "application/json";
      init.body = JSON.stringify(request.body);
    }
    const answer = await this.#fetch(url, init);
    if (!answer.ok) throw await errorOf(answer);
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  }
}

function formData(form: Form): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined || one === null) continue;
      if (one instanceof Blob) data.append(name, one);
      else if (isNamedFile(one)) data.append(name, one.data, one.name);
      else data.append(name, String(one));
    }
  }
  return data;
}

function isNamedFile(value: unknown): value is { name: string; data: Blob } {
  return typeof value === "object" && value !== null && "data" in value && value.data instanceof Blob;
}

async function errorOf(answer: Response): Promise<FettleError> {
  const told: { error?: string; code?: string } = await answer.json().catch(() => ({}));
  const retryAfter = answer.headers.get("Retry-After");
  return new FettleError(
    told.error ?? `answer ${answer.status} without the service's JSON`,
    answer.status,
    told.code,
    answer.headers.get("X-Request-Id"),
    retryAfter === null ? undefined : Number(retryAfter),
  );
}
