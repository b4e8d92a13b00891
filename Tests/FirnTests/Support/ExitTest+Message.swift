import Testing

extension ExitTest.Result? {
    /// Checks that the program was stopped by Firn, with a message that has these parts.
    ///
    /// Without it a test passes for any error that is thrown, too.
    func says(_ parts: String..., at location: SourceLocation = #_sourceLocation) {
        let text = String(decoding: self?.standardErrorContent ?? [], as: UTF8.self)
        for part in ["Fatal error: Firn: "] + parts {
            #expect(text.contains(part), "\(text)", sourceLocation: location)
        }
    }
}
