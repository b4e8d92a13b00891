import FirnPlatform
import FirnTesting

/// The time between a key and its effect on the terminal of the interactive shell.
struct ShellLatency {
    let firn: String
    /// One class, `Flight`, with the columns of `lineitem.csv`.
    let database: String
    let samples: Int

    private static let prompt = "large> "
    /// Scans the whole text of every row, and finds nothing.
    private static let slow = "Flight l_comment LIKE[c] \"*zz*qq*xx*\" | count"

    func table() throws -> String {
        let waits: [(String, () throws -> Statistics)] = [
            ("first prompt, from the start of the process", firstPrompt),
            ("completion of a property", { try completion("Flight l_shipm", adds: "ode") }),
            (
                "completion of a value, of a few different ones",
                { try completion("Flight l_shipmode == \"TR", adds: "UCK") }
            ),
            (
                "completion of a value, of so many that none is offered",
                { try completion("Flight l_comment == \"ly final depende", adds: nil) }
            ),
            ("Ctrl-C in a query until the prompt", interrupt),
        ]
        return try LatencyTable.text("at a terminal", waits)
    }

    private func open() throws -> TerminalSession {
        let session = try TerminalSession(firn, [database], columns: 120, rows: 50)
        try session.wait(for: ShellLatency.prompt)
        return session
    }

    private func firstPrompt() throws -> Statistics {
        try measured {
            let (time, session) = try Stopwatch.timeAndResult { try open() }
            leave(session)
            return time
        }
    }

    /// - Parameters:
    ///   - text: typed before the Tab, each time in a session of its own.
    ///   - addition: the text that the Tab appends; `nil` for none, until the next key is shown.
    private func completion(_ text: String, adds addition: String?) throws -> Statistics {
        try measured {
            let session = try open()
            session.type(text)
            try session.wait(for: text)
            let time = try Stopwatch.time {
                session.type(addition == nil ? "\t~" : "\t")
                try session.wait(for: addition ?? "~", seconds: 10)
            }
            // Ctrl-U deletes the line.
            session.type("\u{15}")
            leave(session)
            return time
        }
    }

    private func interrupt() throws -> Statistics {
        let session = try open()
        let whole = try Stopwatch.time {
            session.type(ShellLatency.slow + "\n")
            try session.wait(for: "count")
            try session.wait(for: ShellLatency.prompt)
        }
        Console.note("the query takes \(Figures.time(whole)) if nobody interrupts it")
        let statistics = try measured {
            session.type(ShellLatency.slow + "\n")
            try session.wait(for: "count")
            SystemClock().sleep(nanoseconds: whole / 4)
            return try Stopwatch.time {
                session.type("\u{3}")
                try session.wait(for: ShellLatency.prompt)
            }
        }
        leave(session)
        return statistics
    }

    private func leave(_ session: TerminalSession) {
        session.type(".quit\n")
        _ = session.finish()
    }

    private func measured(_ sample: () throws -> UInt64) throws -> Statistics {
        var times: [UInt64] = []
        for _ in 0..<samples { times.append(try sample()) }
        return Statistics(times) ?? Statistics(constant: 0)
    }
}
