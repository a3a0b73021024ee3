"""Starts one index of an Indexed Job on this machine, without Kubernetes: the same command, with the same environment.

    kubernetes_task.py YAML INDEX --program FILE --root FOLDER [--tasks N] [--set NAME=VALUE]... [--file NAME=FILE]... [--show]

It reads the Job and its ConfigMaps, writes mounted files under FOLDER, builds the environment from nothing but the Job and what is
given with --set, expands $(NAME) as Kubernetes does, and becomes the program, so that a kill meets the program itself. Secrets are
given with --set too. --tasks changes how many indices there are, and --file the content of a mounted file: a small job for a test.
"""

import argparse
import os
import re
import sys

import yaml

INDEX_FIELD = "metadata.annotations['batch.kubernetes.io/job-completion-index']"


def fail(message):
    sys.exit(f"{sys.argv[0]}: {message}")


def pairs(words):
    for word in words:
        if "=" not in word:
            fail(f"expected NAME=VALUE, found {word!r}")
    return dict(word.split("=", 1) for word in words)


def environment(container, index, given):
    """Returns the variables of the Job. Those of --set stand in for secrets and replace plain values."""
    found = {}
    for entry in container.get("envFrom", []):
        if set(entry) != {"secretRef"}:
            fail(f"expected envFrom with a secretRef, found {entry}")
    for entry in container.get("env", []):
        name, source = entry["name"], entry.get("valueFrom")
        if source is None:
            found[name] = given.get(name, entry.get("value", ""))
        elif source == {"fieldRef": {"fieldPath": INDEX_FIELD}}:
            found[name] = str(index)
        else:
            fail(f"expected a value or the index for {name}, found {source}")
    return {**given, **found}


def mounted(pod, container, maps, root, replaced):
    """Writes the files of mounted ConfigMaps, and returns which path stands for which mount."""
    volumes = {volume["name"]: volume for volume in pod.get("volumes", [])}
    places = {}
    for mount in container.get("volumeMounts", []):
        volume = volumes.get(mount["name"]) or fail(f"expected a volume {mount['name']!r}, found none")
        name = volume.get("configMap", {}).get("name")
        if name not in maps:
            fail(f"expected a ConfigMap for {mount['name']!r} in the same file, found {volume}")
        place = os.path.join(root, mount["mountPath"].strip("/"))
        os.makedirs(place, exist_ok=True)
        for file, text in maps[name]["data"].items():
            if file in replaced:
                with open(replaced.pop(file), encoding="utf-8") as other:
                    text = other.read()
            path = os.path.join(place, file)
            # Atomically, because the other indices read the same file.
            with open(f"{path}.{os.getpid()}", "w", encoding="utf-8") as out:
                out.write(text)
            os.replace(f"{path}.{os.getpid()}", path)
        places[mount["mountPath"].rstrip("/") + "/"] = place + "/"
    if replaced:
        fail(f"expected mounted files named {', '.join(replaced)}, found none")
    return places


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("yaml")
    parser.add_argument("index", type=int)
    parser.add_argument("--program", required=True)
    parser.add_argument("--root", required=True)
    parser.add_argument("--tasks", type=int)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--file", action="append", default=[])
    parser.add_argument("--show", action="store_true", help="print environment and words instead of running them")
    args = parser.parse_args()

    with open(args.yaml, encoding="utf-8") as text:
        documents = [document for document in yaml.safe_load_all(text) if document]
    maps = {d["metadata"]["name"]: d for d in documents if d["kind"] == "ConfigMap"}
    jobs = [d for d in documents if d["kind"] == "Job"]
    if len(jobs) != 1 or jobs[0]["spec"].get("completionMode") != "Indexed":
        fail(f"expected one Indexed Job, found {len(jobs)} jobs")
    pod = jobs[0]["spec"]["template"]["spec"]
    (container,) = pod["containers"]

    env = environment(container, args.index, pairs(args.set))
    completions = jobs[0]["spec"]["completions"]
    if env.get("TASKS") != str(completions):
        fail(f"expected TASKS to be the number of completions, {completions}, found {env.get('TASKS')}")
    if args.tasks is not None:
        completions = args.tasks
        env["TASKS"] = str(completions)
    if not 0 <= args.index < completions:
        fail(f"expected an index below {completions}, found {args.index}")
    places = mounted(pod, container, maps, os.path.abspath(args.root), pairs(args.file))

    def expanded(word):
        for path, place in places.items():
            word = place + word[len(path):] if word.startswith(path) else word
        # Kubernetes leaves unknown references as they are; here they are errors.
        return re.sub(r"\$\((\w+)\)", lambda m: env[m[1]] if m[1] in env else fail(f"unknown $({m[1]})"), word)

    if container["command"] != ["anglerfish"]:
        fail(f"expected the command [\"anglerfish\"], found {container['command']}")
    words = [expanded(word) for word in container.get("args", [])]
    if args.show:
        print(*(f"{name}={value}" for name, value in sorted(env.items())), *words, sep="\n")
        return
    os.execve(args.program, ["anglerfish", *words], env)


if __name__ == "__main__":
    main()
