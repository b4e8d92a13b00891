import FirnPlatform
import FirnTesting
import FirnText
import Testing

@testable import FirnFormats
@testable import FirnTools

@Suite("The progress line")
struct ProgressTests {
    private let clock = SimulatedClock()
    private let errors = MemorySink()

    private func progress(
        _ style: ProgressStyle, terminal: Bool = true, quiet: Bool = false,
        variables: [String: String] = [:]
    ) -> Progress {
        let services = SystemServices(
            files: SystemServices.real.files, clock: clock, entropy: SystemServices.real.entropy,
            bootIdentity: SystemServices.real.bootIdentity)
        var environment = CommandEnvironment(
            services: services, input: MemorySource([]), output: MemorySink(), errors: errors
        ) { variables[$0] }
        environment.errorsIsTerminal = terminal
        return Progress(style, quiet: quiet, environment)
    }

    private func run(_ line: Progress) {
        for step in 1...10 {
            clock.advance(nanoseconds: 200_000_000)
            line.update("reading a.csv", done: UInt64(step) << 20, of: 20 << 20)
        }
        line.clear()
    }

    @Test("The line has a bar, the percentage, the amount, the rate and the time left")
    func line() {
        run(progress(.auto, variables: ["COLUMNS": "100"]))
        let lines = errors.text.split(separator: "\r").map { $0.dropFirst(3) }
        // Half a second passes before the first one.
        #expect(lines.count == 9)
        #expect(
            lines[7]
                == "reading a.csv  ██████████░░░░░░░░░░  50%  10.0 MiB of 20.0 MiB  5.6 MiB/s  1 s left"
        )
        #expect(lines.last == "")
    }

    @Test("A narrow terminal gets a shorter line", arguments: [10, 30, 50, 70])
    func narrow(width: Int) {
        run(progress(.auto, variables: ["COLUMNS": String(width), "LC_ALL": "C"]))
        for line in errors.text.split(separator: "\r").map({ $0.dropFirst(3) })
        where line.count > 13 {
            #expect(line.count < width, "\(line)")
        }
        #expect(!errors.text.contains("░"))
    }

    /// Under `--errors json` it was written unchanged.
    @Test(
        "A name in the line cannot harm the terminal", .tags(.security), arguments: [true, false])
    func hostileName(isJSON: Bool) {
        let line = progress(isJSON ? .json : .auto, variables: ["COLUMNS": "200"])
        for step in 1...10 {
            clock.advance(nanoseconds: 200_000_000)
            line.update("reading \(HostileText.sample)", done: UInt64(step) << 20, of: nil)
        }
        #expect(errors.text.contains("abc"))
        #expect(HostileText.reached(errors.text).isEmpty, "\(errors.text.debugDescription)")
    }

    @Test("JSON progress is a line twice a second, even without a terminal")
    func json() {
        run(progress(.json, terminal: false))
        let lines = errors.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(
            lines.first?.hasPrefix(
                #"{"v":1,"type":"progress","what":"reading a.csv","bytes":3145728,"of":20971520,"bytesPerSecond":"#
            )
                == true)
        #expect(lines.allSatisfy { $0.hasSuffix("}") && $0.contains("\"secondsLeft\":") })
    }

    @Test("No line appears without a terminal, with quiet, or when disabled")
    func silent() {
        run(progress(.auto, terminal: false))
        run(progress(.auto, quiet: true))
        run(progress(.never))
        #expect(errors.text.isEmpty)
    }
}
