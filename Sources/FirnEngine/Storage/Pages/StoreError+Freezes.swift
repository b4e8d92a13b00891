extension StoreError {
    /// Returns the error for a name without a freeze.
    static func freezeMissing(_ name: String, path: String) -> StoreError {
        StoreError(.freezeMissing, path: path, detail: "there is no freeze named \"\(name)\"")
    }

    /// Returns the error for an expired freeze.
    static func freezeExpired(_ freeze: Freeze, path: String) -> StoreError {
        StoreError(
            .freezeMissing, path: path, detail: "the freeze named \"\(freeze.name)\" has expired")
    }
}
