// SPDX-License-Identifier: MIT
#import <ADAL/ADAL.h>

#import "SignOut.h"

@implementation SignOut

- (void)signOut
{
    ADAuthenticationError *error = nil;
    ADKeychainTokenCache *cache = [ADKeychainTokenCache defaultKeychainCache];
    [cache removeAllForClientId:@"12345678-1234-1234-1234-123456789012" error:&error];

    NSHTTPCookieStorage *storage = [NSHTTPCookieStorage sharedHTTPCookieStorage];
    for (NSHTTPCookie *cookie in storage.cookies) {
        [storage deleteCookie:cookie];
    }
}

@end
