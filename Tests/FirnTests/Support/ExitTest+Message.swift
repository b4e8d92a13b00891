import Testing

extension ExitTest.Result? {
    /// Checks that Firn stopped the program, with a message that has these parts.
    ///
    /// Otherwise a test would also pass for any thrown error.
    func says(_ parts: String..., at location: SourceLocation = #_sourceLocation) {
        let text = String(decoding: self?.standardErrorContent ?? [], as: UTF8.self)
        for part in ["Fatal error: Firn: "] + parts {
            #expect(text.contains(part), "\(text)", sourceLocation: location)
        }
    }
}
