import FirnPlatform

// The choice of the next thread. All of this runs under the lock.
extension ProcessScheduler {
    /// Called before every operation of a simulated process.
    func pass(_ operation: SimulatedOperation) {
        lock.lock()
        defer { lock.unlock() }
        guard isRunning else { return }
        guard let thread = current, thread.isCurrent else {
            fail(.stranger(operation))
            return
        }
        guard !thread.isInterfering, isAlive(thread) else { return }
        steps += 1
        now += Self.stepNanoseconds
        let point = SwitchPoint(
            step: steps, process: thread.process, thread: thread.name, operation: operation)
        remember(point)
        if steps > stepsMax {
            fail(.tooManySteps)
            return
        }
        interfere(thread, point)
        guard isAlive(thread) else { return }
        yield(thread)
    }

    /// Whether a thread can still act; one that cannot is abandoned in the end.
    private func isAlive(_ thread: ScheduledThread) -> Bool {
        if thread.process.files.isAlive { return true }
        thread.lastCalls += 1
        guard thread.lastCalls > Self.lastCallsMax else { return false }
        thread.state = .abandoned
        passTurn()
        while true { thread.turn.wait(lock) }
    }

    private func interfere(_ thread: ScheduledThread, _ point: SwitchPoint) {
        guard let interference else { return }
        thread.isInterfering = true
        // The closure calls the scheduler, and works on the disk.
        lock.unlock()
        interference(self, point)
        lock.lock()
        thread.isInterfering = false
    }

    private func remember(_ point: SwitchPoint) {
        if trace.count == Self.traceMax { trace.removeFirst() }
        trace.append(point)
    }

    // MARK: Waiting

    /// Suspends the current thread until a time.
    func sleep(nanoseconds: UInt64) {
        pass(SimulatedOperation(.sleep, ""))
        lock.withLock { block(.sleeping(until: now.addingSaturated(nanoseconds))) }
    }

    /// Suspends the current thread until a wake-up or a time.
    func wait(for word: SharedWord, nanoseconds: UInt64) {
        lock.withLock {
            // Spurious wake-ups are allowed, so they must be tested.
            guard !generator.happens(oneIn: 16) else { return }
            block(.waiting(for: word, until: now.addingSaturated(nanoseconds)))
        }
    }

    /// Ends all waits for a word.
    func wake(_ word: SharedWord) {
        lock.withLock {
            guard let thread = current, thread.process.files.isAlive else { return }
            for thread in threads {
                if case .waiting(word, _) = thread.state { thread.state = .runnable }
            }
        }
    }

    private func block(_ state: ScheduledThread.State) {
        guard isRunning, let thread = current, thread.isCurrent, !thread.isInterfering,
            thread.process.files.isAlive
        else { return }
        thread.state = state
        yield(thread)
    }

    // MARK: Turns

    /// Runs another thread, or the same one, and returns when it is the caller's turn again.
    private func yield(_ thread: ScheduledThread) {
        passTurn()
        awaitTurn(thread)
    }

    func awaitTurn(_ thread: ScheduledThread) {
        while current !== thread { thread.turn.wait(lock) }
    }

    /// Gives the turn to the next thread.
    func passTurn() {
        let next = chosen()
        current = next
        guard let next else {
            hasEnded.wakeAll()
            return
        }
        next.state = .runnable
        next.turn.wakeOne()
    }

    private func chosen() -> ScheduledThread? {
        let active = threads.filter(\.isActive)
        guard !active.isEmpty else { return nil }
        if let current, current.isActive, current.isReady(at: now),
            generator.next() % 8 < staysOfEight
        {
            return current
        }
        var ready = active.filter { $0.isReady(at: now) }
        if ready.isEmpty {
            let next = active.compactMap(\.deadline).min()
            if let next, next < .max {
                now = next
            } else {
                fail(.deadlock)
            }
            ready = active.filter { $0.isReady(at: now) }
        }
        return ready.randomElement(using: &generator)
    }
}

extension UInt64 {
    fileprivate func addingSaturated(_ other: UInt64) -> UInt64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}
