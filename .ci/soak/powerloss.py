"""A trace of system calls, and the images of the disk that a power loss may leave of it.

A cut is a moment in the trace, just before a sync returns. An image of a cut contains everything that
was synced before it. Of later writes it contains any subset: each write in full, not at all, up to or
from some byte, or some of its sectors of 512 bytes. The newest write of the subset to a sector counts,
so subsets cover every order as well; up to eight writes get all of their subsets. A file has the length
of its last sync, its newest length, or one between; where it grew, it holds what was written, zeros or
garbage. Names (creations, renames, removals) that no sync of the folder has made durable survive in
order up to some point, as a journal keeps them, or in every third image as any subset.
"""
import os
import re

SECTOR, END = 512, 1 << 60
TRACED = ("openat,open,creat,write,writev,pwrite64,pwritev,pwritev2,truncate,ftruncate,fallocate,fsync,"
          "fdatasync,sync_file_range,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,"
          "copy_file_range,sendfile,splice")


class Failure(Exception):
    """An image that is not sound, or a call that the recorder does not know."""


def calls(path):
    """Returns the calls of a trace as (begin, end, name, arguments, result), by their begin.

    The order of lines is that of the events. A call without a result was killed.
    """
    waiting, finished = {}, []
    with open(path, encoding="ascii") as file:
        for number, line in enumerate(file):
            thread, _, rest = line.strip().partition(" ")
            rest, begin = rest.lstrip(), number
            if rest.endswith(" <unfinished ...>"):
                waiting[thread] = (number, rest.removesuffix(" <unfinished ...>"))
                continue
            if resumed := re.match(r"<\.\.\. \w+ resumed>", rest):
                begin, start = waiting.pop(thread)
                rest = start + rest[resumed.end():]
            if call := re.match(r"(\w+)\((.*)\)\s+= (-?\d+|\?)", rest):
                finished.append((begin, number, call[1], call[2], None if call[3] == "?" else int(call[3])))
    for begin, rest in waiting.values():
        name, _, arguments = rest.partition("(")
        finished.append((begin, begin, name, arguments, None))
    return sorted(finished)


def unescaped(escaped):
    return bytes.fromhex(escaped.replace("\\x", ""))


class File:
    """The changes of a file as (begin, end, offset, bytes) or (begin, end, None, length), and its syncs."""

    def __init__(self, content=None):
        self.done, self.syncs, self.position = [], [], 0
        if content is not None:
            self.done.append((-1, -1, 0, content))


class Trace:
    """The changes of the files and names of one folder, and the output of the commands."""

    def __init__(self, path, folder, base, believes_killed):
        self.folder, self.live, self.all = os.path.realpath(folder), {}, {}
        self.names, self.folder_syncs, self.printed = [], [], []
        for name, content in base.items():
            self.live[name] = self.all[name] = File(content)
            self.names.append((-1, -1, [(name, self.live[name])]))
        for begin, end, name, arguments, result in calls(path):
            if result is None and believes_killed and name == "pwrite64":
                result = len(unescaped(re.search(r'"(.*?)"', arguments)[1]))
            if result is not None and result >= 0:
                self.apply(begin, end, name, arguments, result)
        syncs = self.folder_syncs + [sync for file in self.all.values() for sync in file.syncs]
        self.cuts = sorted({end for _, end in syncs}) + [END]

    def apply(self, begin, end, name, arguments, result):
        strings = [unescaped(found) for found in re.findall(r'"((?:\\x\w\w)*)"', arguments)]
        place = re.match(r"\d+<((?:\\x\w\w)*)>", arguments)
        path = unescaped(place[1]).decode() if place else ""
        local, folder = self.local(path), os.path.basename(os.path.dirname(path))
        if name.startswith(("rename", "link", "unlink")):
            self.change_names(begin, end, name, [self.local(string.decode()) for string in strings])
        elif name in ("open", "openat"):
            self.open(begin, end, self.local(strings[0].decode()), arguments)
        elif name == "write" and folder == "out" and not path.endswith("/errors"):
            self.printed.append((begin, os.path.basename(path), strings[0].decode()))
        elif name in ("fsync", "fdatasync") and path == self.folder:
            self.folder_syncs.append((begin, end))
        elif local and path.startswith("/"):
            numbers = [int(number) for number in re.findall(r", (\d+)", arguments)]
            # Blocks that are reserved past the end change neither bytes nor the size.
            if name == "fallocate" and ", FALLOC_FL_KEEP_SIZE, " in arguments:
                return
            self.change(self.live.get(local) or self.all[local], begin, end, name, numbers, strings, result)

    def change(self, file, begin, end, name, numbers, strings, result):
        if name in ("fsync", "fdatasync"):
            file.syncs.append((begin, end))
        elif name == "pwrite64":
            file.done.append((begin, end, numbers[-1], strings[0][:result]))
        elif name == "write":
            file.done.append((begin, end, file.position, strings[0][:result]))
            file.position += result
        elif name == "ftruncate":
            file.done.append((begin, end, None, numbers[-1]))
        else:
            raise Failure(f"the recorder does not know {name}")

    def local(self, path):
        """Returns the name of a file of the recorded folder, or None."""
        path = os.path.normpath(os.path.join(self.folder, path))
        return os.path.basename(path) if os.path.dirname(path) == self.folder else None

    def open(self, begin, end, name, arguments):
        if name and "O_CREAT" in arguments and name not in self.live:
            self.live[name] = self.all[name] = File()
            self.names.append((begin, end, [(name, self.live[name])]))
        if name in self.live and "O_RDONLY" not in arguments:
            self.live[name].position = 0
            if "O_TRUNC" in arguments:
                self.live[name].done.append((begin, end, None, 0))

    def change_names(self, begin, end, call, names):
        if names[-1] is None:
            return
        changes = [] if call.startswith("unlink") else [(names[1], self.live[names[0]])]
        changes += [] if call.startswith("link") else [(names[0], None)]
        for name, file in changes:
            self.live.pop(name, None)
            if file:
                self.live[name] = self.all[name] = file
        self.names.append((begin, end, changes))

    def check(self):
        """Compares the files with what all recorded calls make. Shared memory is not recorded."""
        whole = Image(self, END, None).files
        for name in set(os.listdir(self.folder)) | set(whole):
            path = os.path.join(self.folder, name)
            if "-shm" not in name and not (os.path.exists(path) and name in whole
                                           and open(path, "rb").read() == whole[name]):
                raise Failure(f"the recorded calls do not make {name}")


class Image:
    """The files that a power loss at a cut leaves; everything without `chance`."""

    def __init__(self, trace, cut, chance, kept=None):
        self.cut, self.chance, self.kept = cut, chance, kept
        self.probability = chance.choice([0, 0.1, 0.5, 0.9, 1]) if chance else 1
        self.tear = chance.choice([0, 0, 0.5]) if chance and kept is None else 0
        self.garbage = chance.choice([0, 0, 0, 0.5]) if chance else 0
        self.present = self.names(trace)
        self.files = {name: self.content(file) for name, file in self.present.items()}

    def is_durable(self, end, syncs):
        return end < 0 or any(end < begin and done < self.cut for begin, done in syncs)

    def names(self, trace):
        changes = [change for change in trace.names if change[0] < self.cut]
        kept = [not self.chance or self.is_durable(end, trace.folder_syncs) for _, end, _ in changes]
        if self.chance and self.chance.random() < 1 / 3:
            kept = [durable or self.chance.random() < 0.5 for durable in kept]
        elif self.chance:
            least = max((index + 1 for index, durable in enumerate(kept) if durable), default=0)
            most = self.chance.choice([least, len(kept), self.chance.randint(least, len(kept))])
            kept = [index < most for index in range(len(kept))]
        files = {}
        for (_, _, renamed), is_kept in zip(changes, kept):
            for name, file in renamed if is_kept else []:
                files.pop(name, None)
                if file:
                    files[name] = file
        return files

    def content(self, file):
        result, durable_length, newest_length = bytearray(), 0, 0
        for index, (begin, end, offset, what) in enumerate(file.done):
            if begin >= self.cut:
                break
            durable = self.is_durable(end, file.syncs)
            newest_length = what if offset is None else max(newest_length, offset + len(what))
            durable_length = newest_length if durable else durable_length
            if durable or self.keeps((id(file), index)):
                if offset is None:
                    resize(result, what)
                else:
                    end = offset + len(what)
                    write(result, offset, what, [(offset, end)] if durable else self.torn(offset, end))
            elif offset is not None and offset >= durable_length and self.chance.random() < self.garbage:
                write(result, offset, self.chance.randbytes(len(what)), [(offset, offset + len(what))])
        if self.chance and newest_length > durable_length:
            between = self.chance.randint(durable_length, newest_length) // SECTOR * SECTOR
            resize(result, self.chance.choice([
                len(result), len(result), newest_length, durable_length, max(durable_length, between)]))
        return bytes(result)

    def keeps(self, key):
        if self.kept is not None:
            return key in self.kept
        return not self.chance or self.chance.random() < self.probability

    def torn(self, offset, end):
        """Returns the parts of a write that reach the disk."""
        if not self.chance or self.chance.random() >= self.tear:
            return [(offset, end)]
        edge = self.chance.randint(offset, end)
        edge = self.chance.choice([edge, max(offset, edge // SECTOR * SECTOR)])
        sectors = [(max(offset, sector), min(end, sector + SECTOR))
                   for sector in range(offset // SECTOR * SECTOR, end, SECTOR)]
        return self.chance.choice([[(offset, edge)], [(edge, end)],
                                   [sector for sector in sectors if self.chance.random() < 0.5]])


def resize(result, length):
    del result[length:]
    result.extend(bytes(length - len(result)))


def write(result, offset, what, parts):
    for begin, end in parts:
        resize(result, max(len(result), end))
        result[begin:end] = what[begin - offset:end - offset]


def images(trace, cut, chance):
    """Yields every subset of up to eight writes, with random images between and, without end, after."""
    probe = Image(trace, cut, None)
    pending = [(id(file), index) for file in set(probe.present.values())
               for index, (begin, end, _, _) in enumerate(file.done)
               if begin < cut and not probe.is_durable(end, file.syncs)]
    masks = range(1 << len(pending)) if len(pending) <= 8 else []
    for mask in chance.sample(masks, len(masks)):
        yield Image(trace, cut, chance, {key for bit, key in enumerate(pending) if mask >> bit & 1})
        yield Image(trace, cut, chance)
    while True:
        yield Image(trace, cut, chance)
