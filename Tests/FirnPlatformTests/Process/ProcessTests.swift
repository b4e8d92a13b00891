import FirnPlatform
import FirnTesting
import Glibc
import Testing

@Suite("Process")
struct ProcessTests {
    @Test("The boot identity is stable")
    func bootIdentity() throws {
        let boot = try #require(BootIdentity.current())
        #expect(boot == BootIdentity.current())
        #expect(boot.high != 0 && boot.low != 0)
        #expect(SystemServices.real.bootIdentity == boot)
    }

    @Test("A forked child has a different generation", .tags(.security))
    func forkGeneration() async {
        await #expect(processExitsWith: .success) {
            let before = ForkGeneration.current
            guard before.isCurrent, let address = dlsym(nil, "fork") else { exit(2) }
            // Swift hides fork, because few programs survive it; this one does nothing after it.
            let fork = unsafeBitCast(address, to: (@convention(c) () -> pid_t).self)
            let child = fork()
            if child == 0 { _exit(before.isCurrent ? 1 : 0) }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            guard status == 0, before.isCurrent else { exit(3) }
        }
    }

    @Test("A signal is recorded")
    func rememberedSignal() async {
        await #expect(processExitsWith: .success) {
            try Signals.install()
            guard Signals.pending == nil else { exit(1) }
            for signal in [Signals.interrupt, Signals.terminate, Signals.hangUp] {
                try Signals.install()
                guard sendAndWait(signal) else { exit(2) }
            }
        }
    }

    @Test("A second signal of the same kind kills the process later")
    func secondSignal() async {
        await #expect(processExitsWith: .signal(SIGINT)) {
            try Signals.install()
            guard sendAndWait(SIGINT) else { exit(2) }
            while true {
                kill(getpid(), SIGINT)
                usleep(20_000)
            }
        }
    }

    /// `timeout` of GNU sends SIGTERM to its child and at once to the group of both, which left the
    /// temporary files of a command that was about to remove them.
    @Test("Two simultaneous signals of the same kind count as one request to end")
    func doubledSignal() async {
        await #expect(processExitsWith: .success) {
            try Signals.install()
            guard sendAndWait(SIGTERM) else { exit(2) }
            kill(getpid(), SIGTERM)
            exit(Signals.pending == SIGTERM ? 0 : 1)
        }
    }

    @Test("An ignored signal stays ignored, as nohup requires")
    func ignoredSignal() async {
        await #expect(processExitsWith: .success) {
            signal(SIGHUP, SIG_IGN)
            try Signals.install()
            kill(getpid(), SIGHUP)
            // Whichever thread receives signals has received this one when it has received the
            // next.
            guard sendAndWait(SIGTERM) else { exit(1) }
        }
    }

    @Test("raise kills the process even after install")
    func raise() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            try Signals.install()
            ProcessExit.raise(signal: Signals.terminate)
        }
    }

    @Test("exit ends the process with the given status")
    func exitStatus() async {
        await #expect(processExitsWith: .exitCode(65)) { ProcessExit.exit(65) }
    }

    @Test("Environment variables are read, including empty ones")
    func environment() {
        setenv("FIRN_TEST_EMPTY", "", 1)
        setenv("FIRN_TEST_VALUE", "a b", 1)
        #expect(Environment.variable("FIRN_TEST_EMPTY") == "")
        #expect(Environment.variable("FIRN_TEST_VALUE") == "a b")
        #expect(Environment.variable("FIRN_TEST_MISSING") == nil)
        #expect(Environment.processorCount >= 1)
        #expect(Environment.processNumber == getpid())
    }
}

/// Sends a signal to this process and waits until some thread, not necessarily this one, receives
/// it.
///
/// - Returns: whether it is recorded within ten seconds.
private func sendAndWait(_ signal: Int32) -> Bool {
    kill(getpid(), signal)
    for _ in 0..<10_000 where Signals.pending != signal {
        SystemClock().sleep(nanoseconds: 1_000_000)
    }
    return Signals.pending == signal
}
