package import FirnPlatform
import FirnValues

/// Shows output that fits the screen directly, and longer output in a pager.
package final class PagedSink: ByteSink {
    private let screen: any ByteSink
    private let pager: String
    /// The number of lines that fit; one more line is for the prompt.
    private let rows: Int
    private var linesLeft: Int
    private var kept: [UInt8] = []
    private var pipe: ShellPipe?

    /// - Parameters:
    ///   - rows: the height of the screen.
    ///   - pager: a command line.
    package init(_ screen: any ByteSink, rows: Int, pager: String) {
        self.screen = screen
        self.pager = pager
        self.rows = max(1, rows - 1)
        linesLeft = self.rows
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        if let pipe { return try pipe.write(bytes) }
        kept.append(contentsOf: bytes)
        for byte in bytes where byte == UInt8(ascii: "\n") { linesLeft -= 1 }
        guard linesLeft < 0 else { return }
        let started = try ShellPipe(pager)
        pipe = started
        try writeKept { bytes throws(PlatformError) in try started.write(bytes) }
    }

    /// Shows the kept output, or waits until the user leaves the pager; later output starts a new
    /// screen.
    package func finish() throws(PlatformError) {
        linesLeft = rows
        if let ending = pipe {
            pipe = nil
            ending.finish()
        } else {
            try writeKept { [screen] bytes throws(PlatformError) in try screen.write(bytes) }
        }
    }

    private func writeKept(
        _ body: (UnsafeRawBufferPointer) throws(PlatformError) -> Void
    ) throws(PlatformError) {
        let result = kept.withUnsafeBytes { bytes in
            Result { () throws(PlatformError) in try body(bytes) }
        }
        kept = []
        try result.get()
    }
}
