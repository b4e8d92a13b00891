import FirnEngine
import FirnFormats
import FirnValues

extension SpaceReport.Holder {
    /// Returns a description such as `freeze "before-import" (3 days)` or `pid 4121 (firn observe
    /// app.firn)`.
    ///
    /// - Parameters:
    ///   - freezes: the freezes of the database, which include their age.
    ///   - now: the current time in seconds since 1970.
    func text(_ freezes: [Freeze], now: Int64) -> String {
        switch kind {
        case .freeze(let name):
            var text = "freeze \"\(SafeText.escaping(name))\""
            if let freeze = freezes.first(where: { $0.name == name }) {
                text += " (\(Formatting.age(freeze.age(at: now))))"
            }
            return text
        case .history: return "the versions without a name"
        case .reader(let version, let process):
            guard let process else {
                return version.map { "a reader of version \($0.rawValue)" } ?? "a reader"
            }
            return process.text
        }
    }

    /// Returns the holder as a record of a report.
    func record(_ freezes: [Freeze]) -> JSONObject {
        var json = JSONObject()
        switch kind {
        case .freeze(let name):
            if let freeze = freezes.first(where: { $0.name == name }) {
                json.add("version", Int64(clamping: freeze.version.rawValue))
            }
            json.add("by", "freeze:\(name)")
        case .history: json.add("by", "history")
        case .reader(let version, let process):
            if let version { json.add("version", Int64(clamping: version.rawValue)) }
            json.add("by", process.map { "pid:\($0.pid)" } ?? "reader")
            if let process { json.add("command", process.command) }
        }
        json.add("bytes", Int64(clamping: byteCount))
        return json
    }
}

extension ProcessDescription {
    /// A longer part of a command line does not help to recognize it.
    private static let commandCharactersMax = 80

    /// `pid 4121 (firn observe app.firn)`.
    var text: String { "pid \(pid)" + (command.isEmpty ? "" : " (\(shownCommand))") }

    /// The start of the command line, safe to show.
    var shownCommand: String {
        SafeText.excerpt(of: command.utf8, characters: ProcessDescription.commandCharactersMax)
    }
}

extension Freeze {
    /// Returns the seconds since the freeze was made; 0 if the clock was set back.
    func age(at now: Int64) -> UInt64 { Freeze.seconds(from: createdSeconds, to: now) }

    /// Returns the seconds until the freeze expires; `nil` if it does not expire.
    func remaining(at now: Int64) -> UInt64? {
        expiresSeconds.map { Freeze.seconds(from: now, to: $0) }
    }

    private static func seconds(from start: Int64, to end: Int64) -> UInt64 {
        end > start ? UInt64(bitPattern: end &- start) : 0
    }
}
