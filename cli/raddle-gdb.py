# cli/raddle-gdb.py -- gdb's half of `raddle replay --gdb` (cli/debug.c), installed beside the runtime.
#
# It starts the program, stops it where it fails, and shows the program and not the runtime: frames of the runtime are left out of a
# backtrace ("disable frame-filter global raddle" brings them back), the innermost line of the program is selected, threads are called as
# raddle calls them.  What it knows it reads from the runtime's own variables; where they cannot be read it does without.
import re

import gdb

OUTCOMES = [None, "exit", "signal", "deadlock", "livelock", "the run left its schedule", "memory error", "an assumption does not hold",
            "assertion failed", "cannot be steered"]
SYSTEM = re.compile(r"^/usr/(include|lib|local/include)/|/include/c\+\+/|^\.\.?/(sysdeps|nptl|stdlib|csu|posix|io|libio|assert|string|signal|misc)/")
RUNTIME_FILE = re.compile(r"^(\./)?rt/[a-z_0-9]+\.[chS]$")
RUNTIME_NAME = re.compile(r"^(raddle_|rt_|steer_|baton_|context_)")
END = re.compile(r"^(bnd |repz? )?ret")
EPILOGUE = re.compile(r"^(pop|leave|vzeroupper|(add|lea) .*,%rsp$|mov +%rbp,%rsp$|(add|lea) +rsp,|mov +rsp,rbp$)")


def variable(file, name):
    """A variable of the runtime, or None."""
    try:
        return gdb.parse_and_eval("'rt/%s.c'::%s" % (file, name))
    except gdb.error:
        return None


# ---- frames

def source(frame):
    try:
        table = frame.find_sal().symtab
        return table.filename if table else ""
    except gdb.error:
        return ""


def of_runtime(frame):
    library = gdb.solib_name(frame.pc())
    if library:
        return library.endswith("libraddle-rt.so")
    name = frame.name() or ""
    return bool(RUNTIME_FILE.match(source(frame)) or (not source(frame) and RUNTIME_NAME.match(name)))


def is_main(frame):
    return bool(re.match(r"main(\.steered)?(\(.*)?$", frame.name() or "")) and frame.type() == gdb.NORMAL_FRAME


def starts_thread(frame):
    return frame.name() in ("start_thread", "clone3", "__clone3", "clone", "__clone")


class Hidden:
    """The frame filter: leaves out the runtime, the signal frame in which the kernel handed it a system call, and what called main or
    a thread's function."""

    def __init__(self):
        self.name = "raddle"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        after_runtime = False
        for one in frames:
            frame = one.inferior_frame()
            if of_runtime(frame):
                after_runtime = True
                continue
            if after_runtime and frame.type() == gdb.SIGTRAMP_FRAME:
                continue
            after_runtime = False
            if starts_thread(frame):
                return
            yield one
            if is_main(frame):
                return


def program_frame():
    """The innermost frame that is a line of the program; else the innermost that is not the runtime's."""
    lined = other = None
    try:
        frame = gdb.newest_frame()
        while frame is not None:
            if not of_runtime(frame) and frame.type() != gdb.SIGTRAMP_FRAME:
                file = source(frame)
                if file and not SYSTEM.search(file):
                    return frame
                lined = lined or (frame if file else None)
                other = other or frame
            frame = None if is_main(frame) else frame.older()
    except gdb.error:
        pass
    return lined or other


def select():
    frame = program_frame()
    if frame is not None:
        frame.select()


def place(frame):
    if frame is None:
        return "?"
    sal = frame.find_sal()
    where = "%s:%d " % (sal.symtab.filename.split("/")[-1], sal.line) if sal.symtab else ""
    return "%sin %s" % (where, re.sub(r"\.(steered|recorded)$", "", frame.name() or "?"))


# ---- threads

def strands():
    """What each thread is called, by its number in the kernel: T_0_1, and the name the program gave it."""
    names = {}
    table, count = variable("strands", "strands"), variable("strands", "strand_count")
    for i in range(int(count) if table is not None and count is not None else 0):
        one = table[i]
        if not int(one["tid"]) or int(one["seen"]["state"]) == 3:
            continue
        given = one["name"].string(errors="replace") if int(one["is_named"]) else ""
        names[int(one["tid"])] = (one["seen"]["path"].string(errors="replace") + " " + given).rstrip()
    return names


def name_threads():
    names = strands()
    for thread in gdb.selected_inferior().threads():
        name = names.get(thread.ptid[1])
        if name and thread.name != name:
            thread.name = name


def print_threads():
    chosen = gdb.selected_thread()
    for thread in sorted(gdb.selected_inferior().threads(), key=lambda t: t.num):
        thread.switch()
        print("%s %-3d %-16s %s" % ("*" if thread == chosen else " ", thread.num, thread.name or "?", place(program_frame())))
    chosen.switch()


# ---- why it stopped

def hits(event, breakpoints):
    return isinstance(event, gdb.BreakpointEvent) and any(b in breakpoints for b in event.breakpoints)


def reason(event):
    if isinstance(event, gdb.SignalEvent):
        return event.stop_signal
    if hits(event, exits):
        return "about to exit with code %d" % code
    if hits(event, writes):
        return "about to write"
    if not hits(event, stops):
        return None
    steer = variable("steer", "steer")
    outcome = int(steer["outcome"])
    if not outcome:
        return "before event %d of the run" % int(steer["steps"])
    text = steer["text"].string(errors="replace")
    said = OUTCOMES[outcome] if outcome < len(OUTCOMES) else "it failed"
    return "%s: %s" % (said, text) if text else said


def on_stop(event):
    global why
    name_threads()
    if hits(event, begins) or (hits(event, stops) and outputs and not writes and not int(variable("steer", "steer")["outcome"])):
        return
    why = reason(event)
    if hits(event, exits):
        for one in exits:
            one.enabled = False
    select()
    if told and why:
        print("raddle: %s: %s" % (why, place(gdb.selected_frame())))


def on_exited(event):
    global why
    why = "exit %d" % event.exit_code if hasattr(event, "exit_code") else "ended by a signal"


# ---- where it exits

def break_at(where, condition=None):
    one = gdb.Breakpoint(where, internal=True)
    one.silent = True
    if condition:
        one.condition = condition
    return one


def returns(function):
    """Where a function begins to return: what it returns is known there, and its frame still stands."""
    try:
        text = gdb.execute("disassemble '%s'" % function, to_string=True)
    except gdb.error:
        return []
    lines = re.findall(r"^ *(?:=> )? *(0x[0-9a-f]+) <\+\d+>:\s+(.*)$", text, re.M)
    found = []
    for i, (_, instruction) in enumerate(lines):
        if END.match(instruction):
            while i > 0 and EPILOGUE.match(lines[i - 1][1]):
                i -= 1
            found.append(lines[i][0])
    return found


def watch_exits():
    for function in ("main", "main.steered"):
        for address in returns(function):
            exits.append(break_at("*" + address, "($rax & 255) == %d" % code))
    for function in ("exit", "rt_exits"):
        exits.append(break_at("-qualified " + function, "($rdi & 255) == %d" % code))


# ---- where it puts out something

class Output(gdb.Breakpoint):
    """Stops when the runtime notes the wanted output of the thread that has the turn."""
    left = 0

    def __init__(self, function):
        super().__init__("-qualified " + function, internal=True)
        self.silent = True

    def stop(self):
        Output.left -= 1
        return Output.left == 0


def watch_outputs():
    Output.left = outputs
    for function in ("note_output", "formatted_output", "byte_out"):
        writes.append(Output(function))


# ---- the command

def quietly(command):
    """Without a word of gdb's; the program's own go where they go."""
    for one in ("file /dev/null", "redirect on", "enabled on"):
        gdb.execute("set logging " + one)
    try:
        return command()
    finally:
        gdb.execute("set logging enabled off")


def start():
    gdb.execute("set breakpoint pending on")
    begins.append(break_at("-qualified debugger_begins"))
    stops.append(break_at("-qualified debugger_stops"))
    gdb.execute("run")
    thread = gdb.selected_thread()
    if thread is None or not begins[0].hit_count:
        return
    gdb.execute("set variable 'rt/steer.c'::debugger_knows = 1")
    if code >= 0:
        watch_exits()
    gdb.execute("continue")
    if outputs and stops[0].hit_count and not int(variable("steer", "steer")["outcome"]):
        watch_outputs()
        gdb.execute("continue")
        for one in writes:
            one.enabled = False


class Run(gdb.Command):
    """Start the program and stop it where it fails, as `raddle replay --gdb` does."""

    def __init__(self):
        super().__init__("raddle-run", gdb.COMMAND_RUNNING)

    def invoke(self, arg, from_tty):
        global told
        told = False
        for signal in ("SIGTRAP stop print nopass", "SIGSYS nostop noprint pass"):
            gdb.execute("handle " + signal, to_string=True)
        try:
            quietly(start)
        finally:
            told = True
        thread = gdb.selected_thread()
        if thread is None or not thread.is_valid():
            print("raddle: the program is gone: %s" % (why or "it ended"))
            return
        print("raddle: %s: %s" % (why or "stopped", place(gdb.selected_frame())))
        print_threads()
        select()
        gdb.execute("backtrace")
        gdb.execute("frame")


begins, stops, exits, writes = [], [], [], []
told = True
why = None


def convenience(name, otherwise):
    try:
        return int(gdb.parse_and_eval(name))
    except gdb.error:
        return otherwise


code = convenience("$raddle_exit", -1)
outputs = convenience("$raddle_output", 0)
Hidden()
Run()
gdb.events.stop.connect(on_stop)
gdb.events.exited.connect(on_exited)
