// SPDX-License-Identifier: MIT
#import <Foundation/Foundation.h>

/// Signs everybody out.
@interface SignOut : NSObject
- (void)signOut;
@end
